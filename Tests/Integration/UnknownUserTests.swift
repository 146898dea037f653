import Foundation
import TestSupport
import Testing

/// A user without a passwd entry and without HOME, as in some containers.
@Suite(.asRoot, .crowded)
struct UnknownUserTests {
    private static let id = "1234567890"

    /// Runs a line of bash as the user, with VT_HOME as the only variable, and with `$1`, `$2` and `$3` as the server's
    /// port, user and key.
    private func run(_ line: String, on lab: Lab, home: Bool = true) async throws -> ProgramResult {
        let directory = "\(lab.vt.stateHome)-user"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let key = "\(directory)/key"
        try FileManager.default.copyItem(atPath: lab.server.userKeys.path(.ed25519), toPath: key)
        try await ProgramCall("chown", ["-R", Self.id, directory]).check()
        let access = ["--reuid", Self.id, "--clear-groups", "--inh-caps=+dac_override", "--ambient-caps=+dac_override"]
        let own = lab.vt.environment
        var variables = ["PATH=\(own["PATH"] ?? "")", "VT_SHARE=off"]
        if home { variables.append("VT_HOME=\(directory)") }
        variables += own.filter { $0.key.hasPrefix("VT_FIXTURE") }.map { "\($0.key)=\($0.value)" }
        let words = access + ["env", "-i"] + variables + ["bash", "-c", line, "bash"]
        return try await ProgramCall("setpriv", words + ["\(lab.server.port)", lab.server.user, key]).run()
    }

    @Test(arguments: [
        #"vt exec -i "$3" -p "$1" "$2@127.0.0.1" 'echo in'"#,
        #"vt ssh -i "$3" -p "$1" -o StrictHostKeyChecking=no "$2@127.0.0.1" 'echo in'"#,
        #"vt profile add w "$2@127.0.0.1:$1" --identity "$3" && vt exec w 'echo in' && vt ls w: >/dev/null"#,
        #"echo in >"$VT_HOME/in" && vt sessions run s --rm -- cat "$VT_HOME/in""#,
        "vt key generate k >/dev/null && vt host list && vt sessions list >/dev/null && echo in",
    ])
    func `VT_HOME suffices`(_ line: String) async throws {
        let result = try await run(line, on: try await Lab())
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.text.replacingOccurrences(of: "\r", with: "").hasSuffix("in\n"), "\(result.errorText)")
    }

    @Test(arguments: [
        "vt profile import", "vt profile add w x@y --password-file '~/p' && vt exec w true",
        "cd / && vt ls x@y: --password-file '~/p'",
    ])
    func `the home directory is missing only where it is needed`(_ line: String) async throws {
        let result = try await run(line, on: try await Lab())
        #expect(result.status != .exited(0))
        #expect(!result.errorText.contains("passwd entry") || result.errorText.contains("HOME"), "\(result.errorText)")
    }

    @Test func `without VT_HOME, the error refers to it`() async throws {
        let result = try await run("vt profile list", on: try await Lab(), home: false)
        #expect(result.status == .exited(78), "\(result.errorText)")
        #expect(result.errorText.contains("or VT_HOME to a directory for all of vt's files"))
    }

    @Test func `the user name on the server must be given`() async throws {
        let result = try await run(#"vt exec -i "$3" -p "$1" 127.0.0.1 true"#, on: try await Lab())
        #expect(result.status == .exited(255))
        #expect(result.errorText.contains("specify it as USER@HOST"), "\(result.errorText)")
    }
}
