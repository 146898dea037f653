import Foundation
import TestSupport
import Testing

/// The turns of the shells of sessions.
@Suite(.crowded)
struct HistoryTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    private func turns(_ session: String, _ options: String...) async throws -> [[String: Any]] {
        let result = try await vt.call(["sessions", "history", session, "--json"] + options).run()
        return try #require(try JSONSerialization.jsonObject(with: Data(result.output)) as? [[String: Any]])
    }

    /// Types a line, and waits until the shell has ended its command.
    private func type(_ line: String, in session: String) async throws {
        try await vt.check("sessions", "wait", session, "--prompt")
        let count = try await turns(session).count
        try await vt.check("sessions", "send", session, line, "--enter")
        let hasEnded = try await eventually {
            let turns = try await turns(session)
            return turns.count > count && turns.last?["state"] as? String == "ended"
        }
        #expect(hasEnded, "\(line)")
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `typed and passed lines are turns, with their exact output`(_ shell: String) async throws {
        try await vt.check("sessions", "create", "s", "--", shell)
        try await vt.check("sessions", "exec", "s", "echo one; cd /usr")
        try await type("ls /nonexistent", in: "s")
        #expect(try await vt.run("sessions", "exec", "s", "echo three; sh -c 'exit 3'").exit == 3)
        let turns = try await turns("s")
        #expect(turns.map { $0["turn"] as? Int } == [1, 2, 3])
        let commands = ["echo one; cd /usr", "ls /nonexistent", "echo three; sh -c 'exit 3'"]
        #expect(turns.map { $0["command"] as? String } == commands)
        #expect(turns.map { $0["origin"] as? String } == ["exec", "typed", "exec"])
        #expect(turns.map { $0["status"] as? Int } == [0, 2, 3])
        #expect(turns.map { $0["state"] as? String } == ["ended", "ended", "ended"])
        #expect(turns.dropFirst().map { $0["cwd"] as? String } == ["/usr", "/usr"])
        #expect(turns.allSatisfy { $0["first_offset"] == nil && $0["duration_ms"] is Int })
        #expect(try await vt.check("sessions", "logs", "s", "--turn", "1") == "one\r\n")
        #expect(try await vt.check("sessions", "logs", "s", "--turn", "-2", "--plain").contains("/nonexistent"))
        #expect(try await vt.check("sessions", "logs", "s", "--turn", "-1", "--plain") == "three\n")
        let screen = try await vt.check("sessions", "screen", "s", "--turn", "1")
        #expect(screen.contains("one\n") && !screen.contains("three"))
        let missing = try await vt.run("sessions", "logs", "s", "--turn", "4")
        #expect(
            missing.exit == 66 && missing.errorText.contains("no turn 4; the last one is 3"),
            "\(missing.errorText)"
        )
    }

    /// The terminal echoes what is typed while a command is running, as part of what the command has printed.
    @Test(arguments: ["bash", "zsh"])
    func `the output of a turn includes the echo of the lines typed meanwhile`(_ shell: String) async throws {
        try await vt.check("sessions", "create", "s", "--cwd", vt.home, "--", shell)
        try await vt.check("sessions", "exec", "s", "mkfifo go")
        try await vt.check("sessions", "send", "s", "echo up; cat go; echo one", "--enter", "--wait", "match=^up")
        for line in ["echo two", "echo three"] {
            try await vt.check("sessions", "send", "s", line, "--enter")
            let isEchoed = try await eventually { try await vt.check("sessions", "logs", "s").hasSuffix("\(line)\r\n") }
            #expect(isEchoed)
        }
        #expect(try await vt.bash("echo gone >~/go").exit == 0)
        #expect(try await eventually { try await turns("s").filter { $0["state"] as? String == "ended" }.count == 4 })
        #expect(
            try await vt.check("sessions", "logs", "s", "--turn", "2")
                == "up\r\necho two\r\necho three\r\ngone\r\none\r\n"
        )
        #expect(try await vt.check("sessions", "logs", "s", "--turn", "3") == "two\r\n")
        #expect(try await vt.check("sessions", "logs", "s", "--turn", "4") == "three\r\n")
    }

    @Test func `turns are selected by number, status, text and time`() async throws {
        try await vt.check("sessions", "create", "s", "--", "bash")
        for number in 1...6 { _ = try await vt.run("sessions", "exec", "s", "sh -c 'exit \(number % 2)' # n\(number)") }
        func numbers(_ options: String...) async throws -> [Int?] {
            let result = try await vt.call(["sessions", "history", "s", "--ids"] + options).check()
            return result.split(separator: "\n").map { Int($0) }
        }
        #expect(try await numbers() == [1, 2, 3, 4, 5, 6])
        #expect(try await numbers("--limit", "2") == [5, 6])
        #expect(try await numbers("--after", "4") == [5, 6])
        #expect(try await numbers("--failed") == [1, 3, 5])
        #expect(try await numbers("--failed", "--limit", "1") == [5])
        #expect(try await numbers("--match", "# n4") == [4])
        #expect(try await numbers("--since", "1h", "--limit", "0") == [1, 2, 3, 4, 5, 6])
        #expect(try await numbers("--since", "2040-01-01T00:00:00Z") == [])
        #expect(try await vt.check("sessions", "history", "s", "--limit", "1").contains("sh -c 'exit 0' # n6"))
        try await vt.check("sessions", "create", "other", "--", "cat")
        #expect(try await vt.run("sessions", "history", "other").exit == 1)
    }

    @Test func `a shell in a shell is a turn, which ends after its own turns`() async throws {
        try await vt.check("sessions", "create", "s", "--", "bash")
        let hook = "eval \"$(vt shell-init bash)\""
        try vt.writeHome(hook + "\n", to: ".bashrc")
        try await vt.check("sessions", "wait", "s", "--prompt")
        let path = try #require(vt.environment["PATH"])
        try await vt.check("sessions", "exec", "s", "export PATH='\(path)'")
        try await vt.check("sessions", "send", "s", "bash", "--enter", "--wait", "prompt")
        _ = try await eventually { try await self.turns("s").count == 2 }
        try await vt.check("sessions", "exec", "s", "--wait", "10s", "echo inner")
        try await vt.check("sessions", "send", "s", "exit 4", "--enter", "--wait", "prompt")
        try await vt.check("sessions", "exec", "s", "--wait", "10s", "echo outer")
        let turns = try await self.turns("s")
        #expect(turns.map { $0["command"] as? String }.suffix(4) == ["bash", "echo inner", "exit 4", "echo outer"])
        #expect(turns.map { $0["status"] as? Int }.suffix(4) == [4, 0, nil, 0], "\(turns)")
        #expect(turns.map { $0["state"] as? String }.suffix(4) == ["ended", "ended", "unknown", "ended"], "\(turns)")
    }

    @Test func `a turn that is running has no end, and one whose session has ended is unknown`() async throws {
        try await vt.check("sessions", "create", "s", "--", "bash")
        try await vt.check("sessions", "wait", "s", "--prompt")
        try await vt.check("sessions", "send", "s", "echo up; read x; exit 7", "--enter", "--wait", "match=^up")
        let running = try #require(try await turns("s").first)
        #expect(running["state"] as? String == "running")
        #expect(running["to"] == nil && running["ended_at"] == nil && running["status"] == nil)
        try await vt.check("sessions", "send", "s", "--key", "Enter")
        #expect(try await vt.run("sessions", "wait", "s", "--exit").exit == 7)
        #expect(try await turns("s").first?["state"] as? String == "unknown")
    }

    @Test func `turns whose output has been discarded are listed`() async throws {
        try await vt.check("sessions", "create", "s", "--log-max", "1M", "--", "bash")
        try await vt.check("sessions", "exec", "s", "echo first; cd /usr")
        for _ in 0..<6 { _ = try await vt.run("sessions", "exec", "s", "head -c 1000000 /dev/zero | tr '\\0' x") }
        // Many lines in the timeline, so that its beginning is released, too.
        let line = "for i in {1..40000}; do printf 'x%.0s' {1..50}; done"
        for _ in 0..<2 { _ = try await vt.run("sessions", "exec", "s", line) }
        let turns = try await turns("s")
        #expect(turns.map { $0["turn"] as? Int } == Array(1...9))
        let first = try #require(turns.first)
        #expect(first["command"] as? String == "echo first; cd /usr")
        #expect(first["status"] as? Int == 0)
        #expect(first["first_offset"] as? Int == first["to"] as? Int)
        let logs = try await vt.run("sessions", "logs", "s", "--turn", "1")
        #expect(logs.text.isEmpty && logs.errorText.contains("is not in the log"), "\(logs.errorText)")
    }

    @Test func `a recording of a session has its turns`() async throws {
        try await vt.check("sessions", "create", "s", "--", "bash")
        for word in ["one", "two", "three"] { try await vt.check("sessions", "exec", "s", "echo \(word)") }
        let path = "\(vt.home)/s.cast"
        try await vt.check("record", "s", "-o", path)
        #expect(try await vt.check("record", "s", "--turn", "2", "--format", "txt", "-o", "-").hasSuffix("two\n"))
        for (turn, word) in [("2", "two"), ("-1", "three"), ("1", "one")] {
            let cut = "\(vt.home)/\(word).cast"
            try await vt.check("cast", "cut", path, "--turn", turn, "-o", cut)
            let lines = try String(contentsOfFile: cut, encoding: .utf8).split(separator: "\n")
            let output = lines.filter { $0.contains("\"o\"") }
            // The first event draws the screen.
            #expect(output.last?.contains("\"\(word)\\r\\n\"") == true, "\(lines)")
            #expect(lines.count { $0.contains("\"t\"") } == 2, "\(lines)")
        }
        let rest = try await vt.check("cast", "cut", path, "--turn", "2", "--remove")
        #expect(rest.contains("three") && rest.contains("one"))
        #expect(try await vt.run("cast", "cut", path, "--turn", "9").exit == 66)
        #expect(try await vt.run("cast", "cut", path, "--turn", "0").exit == 64)
    }
}

extension Vt {
    /// Writes a file in the home directory.
    fileprivate func writeHome(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(home)/\(name)"))
    }
}
