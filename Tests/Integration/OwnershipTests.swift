import Foundation
import TestSupport
import Testing

/// vt's directories when other users own them or can write to them; the tests require root to change the owner.
struct OwnershipTests {
    private let vt: Vt

    /// A UID that is unprivileged on every system.
    private static let other: uid_t = 65_534
    private static let calls = [["sessions", "list"], ["profile", "list"], ["host", "list"]]

    init() throws {
        vt = try Vt()
        try FileManager.default.createDirectory(atPath: vt.stateHome, withIntermediateDirectories: true)
        chmod(vt.stateHome, 0o700)
    }

    private func refusal(_ words: [String], environment: [String: String] = [:]) async throws -> String {
        let result = try await vt.call(words, environment: environment).run()
        #expect(result.status == .exited(78))
        return result.errorText
    }

    @Test(.asRoot, arguments: calls)
    func `rejects a VT_HOME that another user owns`(words: [String]) async throws {
        try vt.write(#"{"schema":1,"profiles":{}}"#, to: "profiles.json")
        try await vt.check("sessions", "create", "x", "--", "true")
        chown(vt.stateHome, Self.other, gid_t.max)
        #expect(
            try await refusal(words) == """
                vt: '\(vt.stateHome)' is owned by another user (uid 65534)
                hint: set VT_HOME to a directory of your own, or: chown 0 \(vt.stateHome)

                """
        )
        chown(vt.stateHome, 0, gid_t.max)
        #expect(try await vt.call(words).run().status == .exited(0))
    }

    @Test(.asRoot, arguments: calls)
    func `rejects a VT_HOME that others can write to, even an empty one`(words: [String]) async throws {
        chmod(vt.stateHome, 0o777)
        #expect(
            try await refusal(words) == """
                vt: '\(vt.stateHome)' is writable by other users
                hint: remove the write permission of others: chmod go-w \(vt.stateHome)

                """
        )
        chmod(vt.stateHome, 0o770)
        chown(vt.stateHome, 0, 65_534)
        #expect(try await refusal(words).contains("'\(vt.stateHome)' is writable by other users"))
        chmod(vt.stateHome, 0o755)
        #expect(try await vt.call(words).run().status == .exited(0))
    }

    @Test(.asRoot) func `rejects a file that another user owns`() async throws {
        try vt.write("", to: "known_hosts")
        chown("\(vt.stateHome)/known_hosts", Self.other, gid_t.max)
        #expect(try await refusal(["host", "list"]).contains("'\(vt.stateHome)/known_hosts' is owned by another user"))
    }

    @Test(.asRoot) func `rejects a directory that another user owns, except the home directory itself`() async throws {
        let state = "\(vt.home)/.local/state"
        try FileManager.default.createDirectory(atPath: "\(state)/vt/sessions", withIntermediateDirectories: true)
        var call = vt.call(["sessions", "list"])
        call.environment["VT_HOME"] = nil
        #expect(try await call.run().status == .exited(0))
        for path in [state, "\(vt.home)/.local"] {
            chown(path, Self.other, gid_t.max)
            let result = try await call.run()
            #expect(result.status == .exited(78))
            #expect(result.errorText.hasPrefix("vt: '\(path)' is owned by another user (uid 65534)\n"))
            chown(path, 0, gid_t.max)
        }
        // The home directory itself can belong to another user, but only its owner may write to it unless it is sticky.
        chown(vt.home, Self.other, gid_t.max)
        #expect(try await call.run().status == .exited(0))
        chmod(vt.home, 0o777)
        #expect(try await call.run().status == .exited(78))
        chmod(vt.home, 0o1777)
        #expect(try await call.run().status == .exited(0))
    }

    @Test(.asRoot) func `root leaves nothing in the home directory of another user`() async throws {
        let lab = try await Lab()
        // A directory of the other user, in which everything else would have to be created, or the home directory alone.
        for existing in ["\(vt.home)/.local/state/vt", vt.home] {
            if existing != vt.home {
                try FileManager.default.createDirectory(atPath: existing, withIntermediateDirectories: true)
            }
            let script = """
                chown -R 65534 "$HOME"; chmod 755 "$HOME"
                for command in 'profile add x u@127.0.0.1' 'exec -o StrictHostKeyChecking=accept-new '"$2"' true' \
                    'sessions create s -- true' 'key generate k' 'host trust --all '"${2#*@}"; do
                    VT_HOME= VT_SHARE=60s vt $command >/dev/null 2>>"$1" && echo "$command"
                done
                find "$HOME" -uid 0; grep -c 'is owned by another user' "$1"; rm -rf "$HOME"/.local "$1"
                """
            let address = "\(lab.server.user)@127.0.0.1:\(lab.server.port)"
            let result = try await vt.bash(script, "\(vt.home).errors", address)
            #expect(result.text == "5\n", "\(existing): \(result.errorText)")
        }
    }
}
