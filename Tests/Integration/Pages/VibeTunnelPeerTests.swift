import Foundation
import TestSupport
import Testing

/// vt as a client of the sessions of `vt serve --vibetunnel`.
@Suite(.crowded)
struct VibeTunnelPeerTests {
    /// Another vt, with the profile `mac` for the server.
    private struct Peer {
        let lab: PageLab
        let proxy: LegacyProxy?
        let vt: Vt

        init(_ era: VibeTunnelDouble.Era) async throws {
            (lab, vt) = (try await PageLab("--vibetunnel", sessions: [:]), try Vt())
            proxy = era == .legacy ? try LegacyProxy(to: lab.port) : nil
            try await addProfile("mac", ["--user", "ann"], secret: lab.token)
        }

        func addProfile(_ name: String, _ more: [String] = [], secret: String) async throws {
            let words = ["profile", "add", name, "--vibetunnel", "http://127.0.0.1:\(proxy?.port ?? lab.port)"] + more
            let call = vt.call(words + ["--password-stdin", "--secret-store", "file"])
            try await call.check(input: Array(secret.utf8))
        }

        func run(
            _ words: [String],
            input: String = "",
            status: Int32 = 0,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> ProgramResult {
            let result = try await vt.call(words).run(input: Array(input.utf8), deadline: .seconds(60))
            #expect(result.exit == status, "\(words): \(result.errorText)", sourceLocation: sourceLocation)
            #expect(!(result.text + result.errorText).contains(lab.token), sourceLocation: sourceLocation)
            return result
        }

        /// The standard output of `vt`.
        @discardableResult
        func text(
            _ words: String...,
            status: Int32 = 0,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> String {
            try await run(words, status: status, sourceLocation: sourceLocation).text
                .replacingOccurrences(of: "\r\n", with: "\n")
        }

        /// The code of an error, and its message.
        func error(
            _ words: [String],
            status: Int32,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> (code: String?, message: String) {
            let result = try await run(["--json"] + words, status: status, sourceLocation: sourceLocation)
            let error = try result.jsonError()
            return (error["code"] as? String, error["message"] as? String ?? "")
        }

        func expectScreen(
            of session: String,
            contains text: String,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            let isShown = try await eventually(within: .seconds(30)) {
                try await self.text("sessions", "screen", session).contains(text)
            }
            #expect(isShown, sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: [VibeTunnelDouble.Era.v3, .legacy])
    func `vt uses the sessions that another vt serves`(_ era: VibeTunnelDouble.Era) async throws {
        let peer = try await Peer(era)
        try await peer.text("profile", "test", "mac")
        try await useProgram(peer)
        try await useShell(peer)
        try await useLink(peer)
        try await useFlood(peer)
        try await peer.text("sessions", "cleanup", "--all", "mac")
        #expect(try await peer.text("sessions", "list", "mac", "--ids") == "")
        try await peer.lab.end()
    }

    /// A program that ends, what cannot be created, names, and a recording.
    private func useProgram(_ peer: Peer) async throws {
        let script = #"echo begin; printf 'caf\303\251\n'; sleep 1; echo end; exit 3"#
        try await peer.text("sessions", "create", "mac:tests", "--", "sh", "-c", script)
        try await peer.text("sessions", "wait", "mac:tests", "--exit", status: 3)
        let output = "begin\ncafé\nend\n"
        #expect(try await peer.text("sessions", "logs", "mac:tests") == output)
        #expect(try await peer.text("sessions", "screen", "mac:tests") == output)
        let list = try await peer.text("sessions", "list", "mac", "--format", "{name} {state}")
        #expect(list.trimmingCharacters(in: .whitespacesAndNewlines) == "tests exited")
        // What cannot be created.
        for words in [["--", "/nonexistent/prog"], ["--cwd", "/nonexistent", "--", "true"]] {
            let error = try await peer.error(["sessions", "create", "mac:none"] + words, status: 66)
            #expect(error.code == "not-found" && error.message.contains("nonexistent"), "\(error.message)")
        }
        // Names.
        try await peer.text("sessions", "create", "mac:taken", "--", "cat")
        #expect(try await peer.error(["sessions", "rename", "mac:taken", "tests"], status: 73).code == "exists")
        // The session is younger than an hour.
        #expect(try await peer.text("sessions", "reap", "mac", "--idle", "1h", "--action", "kill") == "")
        try await peer.text("sessions", "kill", "mac:taken")
        let cast = "\(peer.vt.home)/tests.cast"
        try await peer.text("record", "mac:tests", "-o", cast)
        #expect(try await peer.text("cast", "convert", cast, "--format", "raw") == output)
    }

    /// A shell.
    private func useShell(_ peer: Peer) async throws {
        try await peer.text("sessions", "create", "mac:shell", "--", "bash", "--norc")
        try await peer.text("sessions", "send", "mac:shell", "echo $((6*7))", "--enter")
        try await peer.expectScreen(of: "mac:shell", contains: "\n42\n")
        try await peer.text("sessions", "send", "mac:shell", "echo 4$((1+2))", "--key", "Enter")
        try await peer.expectScreen(of: "mac:shell", contains: "\n43\n")
        try await peer.text("sessions", "resize", "mac:shell", "100x30")
        let screen = try JSON.object(try await peer.text("sessions", "screen", "mac:shell", "--json").utf8)
        expect(try #require(screen["size"]), is: ["columns": 100, "rows": 30])
        try await peer.text("sessions", "rename", "mac:shell", "other")
        try await peer.text("sessions", "kill", "mac:other")
        try await peer.text("sessions", "wait", "mac:other", "--exit", status: 129)
    }

    /// A link for watching.
    private func useLink(_ peer: Peer) async throws {
        try await peer.lab.vt.check("sessions", "create", "watched", "--", "cat")
        try await peer.addProfile("ro", secret: peer.lab.share("watched"))
        #expect(try await peer.error(["sessions", "send", "ro:watched", "x"], status: 77).code == "auth.denied")
        let denial = try await peer.run(["attach", "ro:watched"], input: "typed\n", status: 255).errorText
        #expect(denial.contains("the link is for watching only") && denial.contains("add --read-only"), "\(denial)")
        #expect(try await peer.text("sessions", "screen", "ro:watched") == "")
        try await peer.lab.vt.check("sessions", "kill", "watched")
    }

    /// A program that never pauses.
    private func useFlood(_ peer: Peer) async throws {
        // It writes so little that a debug build of the server reads the history in no time.
        let script = "while :; do yes | head -c 40; sleep 0.01; done"
        try await peer.text("sessions", "create", "mac:yes", "--", "sh", "-c", script)
        let screen = try await peer.text("sessions", "screen", "mac:yes").components(separatedBy: "\n")
        #expect(screen.prefix(23) == [String](repeating: "y", count: 23)[...])
        let log = try await peer.text("sessions", "logs", "mac:yes", "--tail", "4").components(separatedBy: "\n")
        #expect(log.prefix(3) == ["y", "y", "y"])
        let words = ["sessions", "wait", "mac:yes", "--idle", "1s", "--timeout", "3s"]
        #expect(try await peer.error(words, status: 124).code == "timed-out")
        try await peer.text("sessions", "kill", "mac:yes")
    }
}
