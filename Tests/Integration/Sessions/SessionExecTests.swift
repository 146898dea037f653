import Foundation
import TestSupport
import Testing

/// Lines run in the shells of sessions.
@Suite(.crowded)
struct SessionExecTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    static let shells = [["bash"], ["bash", "-l"], ["zsh"], ["zsh", "-l"], ["dash"], ["busybox", "ash"]]

    /// Runs a line with `--json`, and returns the document.
    private func exec(_ name: String, _ words: String...) async throws -> [String: Any] {
        try await vt.call(["sessions", "exec", name, "--json"] + words).run().json()
    }

    @Test(arguments: shells + [["fish"]])
    func `a line keeps the state of the shell, and has its output and status`(_ shell: [String]) async throws {
        try await vt.call(["sessions", "create", "s", "--"] + shell).check()
        let first = try await vt.run("sessions", "exec", "s", "cd /usr; echo one; false")
        #expect((first.text, first.exit) == ("one\n", 1), "\(first.errorText)")
        let second = try await vt.run("sessions", "exec", "s", "pwd")
        #expect((second.text, second.exit) == ("/usr\n", 0), "\(second.errorText)")
        let third = try await exec("s", "ls /nonexistent 2>/dev/null")
        #expect(third["outcome"] as? String == "exit")
        #expect((third["exit"] as? [String: Any])?["code"] as? Int == 2)
        #expect(third["cwd"] as? String == "/usr")
        #expect(third["turn"] as? Int == 3)
        #expect(third["output"] as? String == "")
        let session = try await vt.run("sessions", "show", "s", "--json").json()
        let status = try #require(session["shell"] as? [String: Any])
        #expect(status["turn"] as? Int == 3)
        #expect(status["last_exit"] as? Int == 2)
    }

    @Test func `a line is run once for all requests with the same ID`() async throws {
        try await vt.check("sessions", "create", "s", "--", "bash")
        let words = [
            "sessions", "exec", "s", "--json", "--request-id", "a/1",
            "echo run | tee -a ~/count; read x; echo got $x; false",
        ]
        let first = try vt.call(words).start()
        _ = try await vt.check("sessions", "wait", "s", "--match", "^run", "--from", "0")
        // Whoever asks last waits for the line.
        let second = try vt.call(words).start()
        _ = try await first.errors.read(until: "another client has requested the same line")
        #expect(try await first.wait() == .exited(255))
        try await vt.check("sessions", "send", "s", "it", "--enter")
        #expect(try await second.wait() == .exited(1))
        let third = try await vt.call(words).run()
        #expect(third.exit == 1)
        let result = try third.json()
        #expect((result["output"] as? String)?.hasSuffix("got it\n") == true, "\(third.text)")
        #expect(result["turn"] as? Int == 1)
        // Another line, or another ID, is another request.
        let other = try await vt.run("sessions", "exec", "s", "--request-id", "a/1", "cat ~/count")
        #expect(other.text == "run\n", "\(other.errorText)")
        let new = try await vt.run("sessions", "exec", "s", "--request-id", "a/2", "cat ~/count")
        #expect(new.text == "run\n", "\(new.errorText)")
        #expect(try await exec("s", "true")["turn"] as? Int == 4)
        #expect(try await vt.run("sessions", "exec", "s", "--request-id", "", "true").exit == 255)
    }

    @Test func `a running command makes the shell busy unless the line may wait`() async throws {
        try await vt.check("sessions", "create", "s", "--", "dash")
        let slow = try vt.start("sessions", "exec", "s", "echo up; read line; echo got $line")
        try await slow.output.read(until: "up\n")
        let busy = try await vt.run("sessions", "exec", "s", "echo", "no")
        #expect(busy.exit == 255)
        #expect(busy.errorText.contains("is running 'echo up; read line; echo got $line' (busy)"), "\(busy.errorText)")
        let waiting = try vt.start("sessions", "exec", "s", "--wait", "60s", "echo", "waited")
        try await vt.check("sessions", "send", "s", "hello", "--enter")
        #expect(try await slow.wait() == .exited(0))
        #expect(try await waiting.output.read(until: "waited\n") == "waited\n")
        #expect(try await waiting.wait() == .exited(0))
    }

    @Test func `a line that the shell does not take is withdrawn, with its input`() async throws {
        try await vt.check("sessions", "create", "s", "--", "bash", "-o", "emacs")
        _ = try await vt.check("sessions", "wait", "s", "--prompt")
        // bash asks whether to list all commands, and takes no other key.
        try await vt.check("sessions", "send", "s", "--key", "Tab", "--key", "Tab")
        try await vt.check("sessions", "wait", "s", "--match", "y or n")
        let words = ["sessions", "exec", "s", "--wait", "100ms", "--stdin", "cat; echo taken"]
        let stuck = try await vt.call(words).run(input: Array("input\n".utf8))
        #expect(stuck.exit == 255)
        #expect(stuck.errorText.contains("did not take the line (busy)"), "\(stuck.errorText)")
        let files = FileManager.default.enumerator(atPath: "\(vt.stateHome)/sessions")?.allObjects as? [String]
        #expect(files?.contains { $0.contains("input-") || $0.hasSuffix("/line") } == false)
        try await vt.check("sessions", "send", "s", "n", "--key", "C-u")
        let next = try await vt.run("sessions", "exec", "s", "--wait", "20s", "echo next")
        #expect((next.text, next.exit) == ("next\n", 0), "\(next.errorText)")
    }

    @Test func `a wait begins at the last line`() async throws {
        try await vt.check("sessions", "create", "s", "--", "bash")
        let words = ["sessions", "exec", "s", "--timeout", "100ms", "echo; read -sp Password: x"]
        for _ in 0..<2 {
            #expect(try await vt.call(words).run().exit == 124)
            try await vt.check("sessions", "wait", "s", "--match", "Password:")
            try await vt.check("sessions", "send", "s", "secret", "--enter", "--wait", "prompt")
        }
        try await vt.check("sessions", "exec", "s", "true")
        let none = try await vt.run("sessions", "wait", "s", "--match", "Password:", "--timeout", "100ms")
        #expect(none.exit == 124)
    }

    @Test func `a timeout at an incomplete line says how to answer a question`() async throws {
        try await vt.check("sessions", "create", "s", "--", "bash")
        let asked = try await vt.run(
            "sessions",
            "exec",
            "s",
            "--timeout",
            "200ms",
            "printf 'Continue? '; read x; test $x = y"
        )
        #expect((asked.text, asked.exit) == ("Continue? ", 124))
        #expect(
            asked.errorText.contains("'vt sessions send s TEXT --enter --wait prompt --print'"),
            "\(asked.errorText)"
        )
        try await vt.check("sessions", "send", "s", "y", "--enter", "--wait", "prompt")
        #expect(try await vt.run("sessions", "exec", "s", "echo $?").text == "0\n")
    }

    @Test func `a timeout leaves the command running, or interrupts it`() async throws {
        try await vt.check("sessions", "create", "s", "--", "bash")
        let left = try await exec("s", "--timeout", "200ms", "read x; echo $x")
        #expect(left["outcome"] as? String == "timed-out")
        #expect(try await vt.run("sessions", "exec", "s", "echo").exit == 255)
        try await vt.check("sessions", "send", "s", "--enter")
        let stopped = try await exec("s", "--wait", "20s", "--timeout", "200ms", "--interrupt", "sleep 1000")
        #expect(stopped["outcome"] as? String == "interrupted")
        #expect((stopped["exit"] as? [String: Any])?["code"] as? Int == 130)
        #expect(try await vt.run("sessions", "exec", "s", "--timeout", "1ms", "--timeout-status", "9", "cat").exit == 9)
    }

    @Test func `^C while fish makes its prompt does not make it miss the next line`() async throws {
        try await vt.check("sessions", "create", "s", "--", "fish")
        let prompt = "function fish_prompt; while test -e \(vt.home)/slow; end; end"
        try await vt.check("sessions", "exec", "s", "--", prompt)
        try await vt.check("sessions", "exec", "s", "touch \(vt.home)/slow")
        try await vt.check("sessions", "send", "s", "--key", "C-c")
        try FileManager.default.removeItem(atPath: "\(vt.home)/slow")
        let next = try await vt.run("sessions", "exec", "s", "--wait", "5s", "echo next")
        #expect((next.text, next.exit) == ("next\n", 0), "\(next.errorText)")
    }

    @Test func `options end at the first word of the line`() async throws {
        try await vt.check("sessions", "create", "s", "--", "bash")
        try await vt.check("sessions", "exec", "s", "printf '%s\\n' foo bar >~/f")
        #expect(try await vt.run("sessions", "exec", "s", "grep", "-v", "foo", "~/f").text == "bar\n")
        #expect(try await vt.run("sessions", "exec", "s", "echo", "--raw", "--", "x").text == "--raw -- x\n")
    }

    @Test func `a line that fish does not execute is not run later`() async throws {
        try await vt.check("sessions", "create", "s", "--", "fish")
        try await vt.check("sessions", "exec", "s", "true")
        // The key then selects a row of the search instead of executing the line.
        try await vt.check("sessions", "send", "s", "--key", "C-r")
        try await vt.check("sessions", "wait", "s", "--match", "search")
        let stuck = try await vt.run("sessions", "exec", "s", "--wait", "100ms", "touch ~/ran")
        #expect(stuck.exit == 255)
        try await vt.check("sessions", "send", "s", "--enter")
        #expect(try await vt.run("sessions", "exec", "s", "--wait", "20s", "echo next").text == "next\n")
        #expect(!FileManager.default.fileExists(atPath: "\(vt.home)/ran"))
        #expect(!(try await vt.run("sessions", "screen", "s").text.hasSuffix("set __vt_run 0\n")))
    }

    @Test func `bytes that could start a mark are not lost at the end`() async throws {
        try await vt.check("sessions", "create", "s", "--", "dash")
        let result = try await vt.run("sessions", "exec", "s", "--raw", "printf '\\033]133;'; exit 3")
        #expect((result.text, result.exit) == ("\u{1B}]133;", 3))
    }

    @Test func `output can be raw, limited, or the last screen`() async throws {
        try await vt.check("sessions", "create", "s", "--", "bash")
        #expect(try await vt.run("sessions", "exec", "s", "--raw", "echo a").text == "a\r\n")
        let limited = try await exec("s", "--raw", "--max-output", "20", "printf %0100d 0; printf 123456789")
        #expect(limited["output"] as? String == "00000000000123456789")
        #expect(limited["truncated"] as? Int == 89)
        let line = "printf '\\033[?1049h\\033[2J\\033[Hfull screen\\033[?1049l'"
        #expect(try await vt.run("sessions", "exec", "s", line).text == "")
        #expect(try await vt.run("sessions", "exec", "s", "--screen", line).text == "full screen\n")
    }

    @Test func `limited output consists of whole lines, and says what is missing`() async throws {
        try await vt.check("sessions", "create", "s", "--", "bash")
        let words = ["sessions", "exec", "s", "--max-output", "40"]
        let plain = try await vt.call(words + ["seq 1000 1100"]).run()
        let lines = plain.text.split(separator: "\n").map { String($0) }
        #expect(lines.count == 7 && plain.errorText == "", "\(plain.text)")
        #expect(lines[..<3] == ["1000", "1001", "1002"] && lines[4...] == ["1098", "1099", "1100"])
        let hint = try #require(lines[3].firstMatch(of: /^\[570 bytes .*; to print them, use '(vt .*)'\]$/)?.1)
        let missing = try await vt.bash("\(hint)")
        #expect(missing.text.hasPrefix("1003\r\n") && missing.text.hasSuffix("1097\r\n"))
        let raw = try await vt.call(words + ["--raw", "seq 1000 1100"]).run()
        #expect(raw.text == "1000\r\n1001\r\n1002\r\n1098\r\n1099\r\n1100\r\n")
        #expect(raw.errorText.contains("570 bytes of output were omitted here"))
        let json = try await exec("s", "--max-output", "40", "seq 1000 1100")
        let gap = try #require(json["gap"] as? [String: Int])
        #expect(gap["from"] == (json["from"] as? Int ?? 0) + 18 && gap["to"] == (json["to"] as? Int ?? 0) - 18)
        let long = try await vt.call(words + ["printf 'é%.0s' {1..100}; echo"]).run()
        let parts = long.text.split(separator: "\n")
        #expect(parts.count == 3 && parts[0] == "éééééééééé" && parts[2] == "ééééééééé", "\(long.text)")
        #expect(parts[1].contains(", within a line"))
        let sent =
            ["sessions", "send", "s", "seq 1000 1100", "--enter", "--wait", "prompt", "--print"]
            + words.suffix(2)
        let printed = try await vt.call(sent).run().text.split(separator: "\n")
        #expect(printed.count == 7 && printed[3].contains("bytes of output were omitted"), "\(printed)")
    }

    @Test func `a program that is not a shell is reported as such`() async throws {
        try await vt.check("sessions", "create", "s", "--", "cat")
        let result = try await vt.run("sessions", "exec", "s", "echo")
        #expect(result.exit == 255)
        #expect(result.errorText.contains("is not a shell that reports its prompts (busy)"))
        try await vt.check("sessions", "create", "t", "--shell-integration", "off", "--", "bash")
        #expect(try await vt.run("sessions", "exec", "t", "echo").exit == 255)
    }

    @Test func `the hook leaves nothing in the environment, and reads the user's files`() async throws {
        try Data("export FROM_RC=yes\nalias printf='echo alias'\n".utf8)
            .write(to: URL(fileURLWithPath: "\(vt.home)/.bashrc"))
        try await vt.check("sessions", "create", "s", "--", "bash")
        let result = try await vt.run(
            "sessions",
            "exec",
            "s",
            "env | grep -i -e vt_ -e ^ENV= -e 133; echo $FROM_RC; printf x"
        )
        let lines = result.text.split(separator: "\n").filter {
            !$0.hasPrefix("VT_SESSION=") && !$0.hasPrefix("VT_HOME=") && !$0.hasPrefix("VT_FIXTURE=")
        }
        #expect(lines == ["yes", "alias x"], "\(result.text)")
        #expect(try await vt.run("sessions", "logs", "s").text.contains("\u{1B}]133") == false)
    }
}
