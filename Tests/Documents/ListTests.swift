import Arguments
import Commands
import Core
import Foundation
import TestSupport
import Testing

/// All commands that list, with an OpenSSH server.
@Suite struct ListTests {
    private static let operands: KeyValuePairs = [
        "profile list": "", "profile connections": "", "host list": "", "host scan": "p", "key list": "",
        "ls": "p:DIRECTORY", "sessions list": "local down", "sessions history": "b", "queue list": "",
        "share": "--list", "snapshot list": "s",
    ]

    @Test func `every list has the same rows with --json, --fields and --format`() async throws {
        #expect(Set(Self.operands.map(\.key)) == Set(Self.listing), "this test covers all commands that list")
        let server = try await OpenSSHServer()
        let vt = try Vt()
        let address = "\(server.user)@127.0.0.1:\(server.port)"
        try await vt.check("profile", "add", "p", address, "--no-agent", "--identity", server.userKeys.path(.ed25519))
        try await vt.check("profile", "add", "down", "x@127.0.0.1:\(try LoopbackPort.free())", "--tag", #"a\b"#)
        try await vt.call(["exec", "p", "true"], environment: ["VT_SHARE": "60s"]).check()
        let directory = "\(server.home)/d"
        let made = try await vt.bash(#"mkdir "$1" && cd "$1" && touch "$(printf 'a\tb\nc\\d\re')" plain"#, directory)
        #expect(made.status == .exited(0), "\(made.errorText)")
        try await vt.check("host", "trust", "--all", "p")
        try await vt.check("key", "generate", "k")
        try await vt.check("sessions", "create", "s", "--cwd", directory, "--tag", "t", "--", "cat")
        try await vt.check("snapshot", "create", "s")
        try await vt.check("sessions", "create", "b", "--", "bash")
        try await vt.check("sessions", "exec", "b", "echo 'a\tb'")
        try await vt.check("queue", "add", "b", "text\n")
        let pages = try vt.start("serve", "--listen", "127.0.0.1:0")
        _ = try await pages.output.read(until: "\n")
        try await vt.check("share", "s", "--once")
        for (verb, operands) in Self.operands {
            let operands = operands.replacingOccurrences(of: "DIRECTORY", with: directory)
            try await check(verb, operands.split(separator: " ").map(String.init), in: vt)
        }
        try await vt.check("sessions", "kill", "s", "b")
    }

    /// The commands with the options of lists.
    private static var listing: [String] {
        CommandTable.tree.visibleCommands.filter { spec in spec.options.contains { $0.long == "fields" } }.map(\.name)
    }

    private func check(_ verb: String, _ operands: [String], in vt: Vt) async throws {
        let documents = try #require(CommandTable.tree.overview.documents().first { $0.command == "vt \(verb)" })
        guard case .array(let row) = documents.documents.first?.type else {
            Issue.record("'\(verb)' does not print an array")
            return
        }
        // The time for which a connection has been idle changes between the runs.
        let fields = row.fieldPaths.filter { $0 != "idle_ms" }
        let words = verb.split(separator: " ").map(String.init) + operands
        let select = fields.map { "(.\($0))" }.joined(separator: ",")
        let text = #"map(if . == null then "" elif type == "string" then . else tojson end)"#
        let script = #"vt --json $2 | jq -r "$1""#
        let expected = try await vt.bash(script, ".[] | [\(select)] | \(text) | @tsv", words.joined(separator: " "))
        #expect(expected.text != "", "\(verb): \(expected.errorText)")
        let listed = try await vt.call(words + ["--fields", fields.joined(separator: ",")]).run()
        #expect(listed.text == expected.text, "\(verb): \(listed.errorText)")
        let template = fields.map { "{\($0)}" }.joined(separator: #"\t"#)
        let formatted = try await vt.call(words + ["--format", template]).run()
        #expect(formatted.text == expected.text, "\(verb): \(formatted.errorText)")
    }
}
