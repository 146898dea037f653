import Foundation
import TestSupport
import Testing

/// A home directory that can be read but not written, in a mount namespace.
@Suite(.asRoot, .crowded)
struct UnwritableHomeTests {
    private static let readOnly = #"mount --bind "$1" "$1"; mount -o remount,bind,ro "$1""#
    private static let full = #"mount -t tmpfs -o size=64k,mode=700 tmpfs "$1"; cat /dev/zero >"$1/filler" 2>&-"#

    /// Runs a line of bash in which the directory of vt's files cannot be written, with the server's port, user and key
    /// as `$2`, `$3` and `$4`.
    private func run(_ line: String, after mount: String, on lab: Lab) async throws -> ProgramResult {
        try FileManager.default.createDirectory(atPath: lab.vt.stateHome, withIntermediateDirectories: true)
        let server = ["\(lab.server.port)", lab.server.user, lab.server.userKeys.path(.ed25519)]
        var call = ProgramCall(
            "unshare",
            ["-m", "bash", "-c", "\(mount); \(line)", "bash", lab.vt.stateHome] + server
        )
        call.environment.merge(lab.vt.environment) { $1 }
        call.environment["VT_SHARE"] = "1m"
        return try await call.run()
    }

    @Test(arguments: [(readOnly, "read-only file system"), (full, "no space left on device")])
    func `a new host key that cannot be stored is reported with its fingerprint`(
        _ mount: String,
        reason: String
    ) async throws {
        let lab = try await Lab()
        let line = #"vt exec -i "$4" -p "$2" "$3@127.0.0.1" 'echo in'"#
        let result = try await run(line, after: mount, on: lab)
        #expect(result.status == .exited(0))
        #expect(result.text == "in\n")
        let lines = result.errorText.split(separator: "\n")
        #expect(lines.count == 2, "\(result.errorText)")
        let place = "'127.0.0.1:\(lab.server.port)'"
        #expect(lines.first?.hasPrefix("vt: cannot store the host key of \(place): ") == true)
        #expect(lines.first?.hasSuffix(reason) == true)
        let fingerprint = try await lab.server.hostKeys.fingerprint(.ed25519)
        #expect(lines.last?.hasSuffix("\(place): ssh-ed25519 \(fingerprint)") == true)
    }

    @Test func `a strict policy still rejects the host`() async throws {
        let lab = try await Lab()
        let line = #"vt --json exec -i "$4" -p "$2" -o StrictHostKeyChecking=yes "$3@127.0.0.1" true"#
        let result = try await run(line, after: Self.readOnly, on: lab)
        #expect(result.status == .exited(255))
        #expect(try result.jsonError()["code"] as? String == "host-key.unknown")
    }

    @Test func `profiles, host keys and sessions can be read, and a new session is an error`() async throws {
        let lab = try await Lab.met()
        let line = """
            vt exec p 'echo in' && vt profile test p >/dev/null && vt host list >/dev/null && vt sessions list >/dev/null
            echo $?; vt sessions create s -- true
            """
        let result = try await run(line, after: Self.readOnly, on: lab)
        #expect(result.status == .exited(73))
        #expect(result.text == "in\n0\n")
        #expect(result.errorText.hasPrefix("vt: cannot create "), "\(result.errorText)")
        #expect(result.errorText.contains("read-only file system"))
        #expect(result.errorText.hasSuffix("hint: set VT_HOME to a directory in which vt can create files\n"))
    }

    @Test(arguments: [
        "profile add web root@web", "key generate k", "queue add s text", "sessions create s -- true",
        "host trust --all p", "profile import --replace",
    ])
    func `a command that must write refers to VT_HOME`(_ command: String) async throws {
        let lab = try await Lab.met()
        try lab.configure("Host other\n")
        let result = try await run("vt \(command)", after: Self.readOnly, on: lab)
        #expect(result.status != .exited(0))
        #expect(result.errorText.hasSuffix("hint: set VT_HOME to a directory in which vt can create files\n"))
    }
}
