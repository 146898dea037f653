import Foundation
import TestSupport
import Testing

/// `vt sessions ask`.
@Suite(.crowded)
struct AskTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    /// A session `s` with a shell at its prompt.
    private func shell() async throws {
        try await vt.check("sessions", "create", "s", "--", "bash")
        try await vt.check("sessions", "exec", "s", "PS1='inner> '; clear")
        try await vt.check("sessions", "wait", "s", "--screen", "^inner>", "--regex")
    }

    private func question() async throws -> [String: any Sendable]? {
        try await vt.run("sessions", "show", "s", "--json").json()["question"] as? [String: any Sendable]
    }

    /// Asks, and returns once the question is open.
    private func ask(_ message: String, _ options: String...) async throws -> RunningProgram {
        let asking = try vt.call(["sessions", "ask", "s", message] + options).start()
        let isOpen = try await eventually {
            let question = try await question()
            return question?["message"] as? String == message && question?["answer"] == nil
        }
        #expect(isOpen)
        return asking
    }

    private func answer() async throws -> String? { try await question()?["answer"] as? String }

    /// Opens a window attached to the session.
    private func window(_ options: String = "", columns: Int = 80) async throws -> TerminalWindow {
        let window = try await TerminalWindow(columns: columns, rows: 24, environment: vt.environment)
        try await window.enter("clear; vt attach s \(options); echo status=$?")
        try await window.wait(for: "inner>")
        return window
    }

    @Test func `a person who is attached sees the question, types, and answers with a key`() async throws {
        try await shell()
        let window = try await window()
        let asking = try await ask("please log in to the VPN")
        try await window.wait(for: "vt: (^] y: done, ^] n: refuse) please log in to the VPN")
        try await window.enter("echo ty''ped")
        try await window.wait(for: "\ntyped\ninner>")
        // The question is shown again after the output, and does not cover the prompt.
        try await window.wait(for: "please log in to the VPN")
        let list = try await vt.check("sessions", "list")
        #expect(list.contains(" asks ") && list.contains("please log in to the VPN"), "\(list)")
        #expect(try await vt.run("sessions", "show", "s", "--json").json()["state"] as? String == "running")
        #expect(asking.isRunning)
        try await window.press("C-]", "y")
        #expect(try await asking.wait() == .exited(0))
        try await window.wait { !$0.contains("log in") && $0.contains("\ntyped\ninner>") }
        #expect(try await answer() == "done")
        #expect(try await vt.check("sessions", "list").contains(" running "))
        let refused = try await ask("again")
        try await window.wait(for: "again")
        try await window.press("C-]", "n")
        #expect(try await refused.wait() == .exited(1))
        let errors = String(decoding: await refused.errors.readToEnd(), as: UTF8.self)
        #expect(errors == "vt: the question in 's' was refused\n")
        try await window.press("C-]")
        try await window.wait(for: "status=0")
    }

    @Test func `a question is shown to a client that attaches later, above a prompt in the last row`() async throws {
        try await shell()
        try await vt.check("sessions", "send", "s", "seq 100", "--enter", "--wait", "match=^100")
        let asking = try await ask(String(repeating: "word ", count: 30))
        let window = try await window()
        try await window.wait { screen in
            let rows = screen.split(separator: "\n", omittingEmptySubsequences: false)
            return rows[0].hasPrefix("vt: (^] y") && rows[1].contains("word") && rows.contains("inner>")
        }
        asking.signal(SIGTERM)
        try await window.wait { !$0.contains("word") && $0.contains("\n100\ninner>") }
        #expect(try await answer() == "withdrawn")
    }

    @Test func `a client that only watches sees the question, and cannot answer it`() async throws {
        try await shell()
        let window = try await window("--read-only")
        let asking = try await ask("log in")
        try await window.wait(for: "vt: log in")
        try await window.press("C-]", "y")
        try await window.press("C-]")
        try await window.wait(for: "status=0")
        #expect(asking.isRunning)
        #expect(try await answer() == nil)
    }

    @Test func `a message that contains escape sequences is shown escaped`() async throws {
        try await shell()
        let message = "\u{1B}]0;owned\u{7}\u{1B}[31mred\u{202E}\u{9B}2J\r\n"
        let shown = #"\x1b]0;owned\x07\x1b[31mred\u{202e}\x9b2J\r\n"#
        let window = try await window(columns: 100)
        let asking = try await ask(message)
        try await window.wait(for: shown)
        for words in [["list"], ["show", "s"]] {
            let text = try await vt.call(["sessions"] + words).check()
            #expect(text.contains(shown) && !text.unicodeScalars.contains("\u{1B}"), "\(text)")
        }
        let busy = try await vt.run("sessions", "send", "s", "x")
        #expect(busy.errorText.contains(shown) && !busy.errors.contains(0x1B), "\(busy.errorText)")
        // Without a terminal, a client prints it on standard error.
        let client = try vt.start("attach", "s", "--read-only")
        try await client.errors.read(until: "vt: question: \(shown)\n")
        asking.kill()
    }

    @Test func `input of commands is refused while a question is open, unless it is forced`() async throws {
        try await shell()
        let line = try await vt.run("sessions", "exec", "s", "cd /usr")
        #expect(line.exit == 0, "\(line.errorText)")
        let asking = try await ask("log in")
        let end = try await vt.run("sessions", "show", "s", "--json").json()["output_bytes"] as? Int
        for words in [["send", "s", "no"], ["exec", "s", "echo no"], ["exec", "s", "--wait", "10ms", "echo no"]] {
            let result = try await vt.call(["--json", "sessions"] + words).run()
            #expect(try result.jsonError()["code"] as? String == "busy", "\(words) \(result.errorText)")
            let hint = try result.jsonError()["hint"] as? String
            #expect(hint?.contains("vt sessions ask s --done") == true, "\(hint ?? "")")
        }
        let piped = try await vt.run("attach", "s", input: Array("no\n".utf8))
        #expect(piped.exit == 255 && piped.errorText.contains("'s' waits for a person: 'log in'"), "\(piped.errorText)")
        #expect(try await vt.run("sessions", "show", "s", "--json").json()["output_bytes"] as? Int == end)
        let waiting = try vt.start("sessions", "exec", "s", "--wait", "300s", "echo after")
        #expect(try await vt.check("sessions", "exec", "s", "--force", "pwd") == "/usr\n")
        try await vt.check("sessions", "send", "s", "echo for''ced", "--enter", "--force", "--wait", "match=^forced")
        // What is not input is still possible.
        try await vt.check("sessions", "mark", "s")
        try await vt.check("sessions", "resize", "s", "90x30")
        #expect(waiting.isRunning && asking.isRunning)
        try await vt.check("sessions", "ask", "s", "--done")
        #expect(try await waiting.wait() == .exited(0))
        #expect(try await asking.wait() == .exited(0))
        #expect(try await vt.check("sessions", "exec", "s", "echo on") == "on\n")
        let log = try await vt.check("sessions", "logs", "s", "--plain")
        #expect(!log.contains("no\n") && log.contains("after\n"), "\(log)")
    }

    @Test func `a line that is typed into another shell waits as well`() async throws {
        try await shell()
        try await vt.check("sessions", "send", "s", "env -i sh", "--enter", "--wait", "match=^[$#] ")
        let asking = try await ask("log in")
        let refused = try await vt.run("sessions", "exec", "s", "--assume-shell", "sh", "echo no")
        #expect(refused.exit == 255 && refused.errorText.contains("waits for a person"), "\(refused.errorText)")
        let waiting = try vt.start("sessions", "exec", "s", "--assume-shell", "sh", "--wait", "300s", "echo after")
        #expect(try await waiting.waitUntilIdle())
        #expect(waiting.isRunning)
        let forced = try await vt.run("sessions", "exec", "s", "--assume-shell", "sh", "--force", "echo now")
        #expect(forced.text == "now\n", "\(forced.errorText)")
        try await vt.check("sessions", "ask", "s", "--done")
        #expect(try await waiting.wait() == .exited(0))
        #expect(try await asking.wait() == .exited(0))
    }

    @Test func `a session has one question, and the same question is asked again`() async throws {
        try await shell()
        #expect(try await vt.run("sessions", "ask", "s").exit == 1)
        for answer in ["--done", "--refuse"] {
            let early = try await vt.run("sessions", "ask", "s", answer)
            #expect(early.exit == 1 && early.errorText.contains("no longer open"), "\(early.errorText)")
            let asking = try await ask("log in")
            let second = try await vt.run("sessions", "ask", "s", "other", "--detach")
            #expect(second.exit == 75 && second.errorText.contains("'log in'"), "\(second.errorText)")
            #expect(try await question()?["message"] as? String == "log in")
            let other = try vt.start("sessions", "ask", "s")
            try await vt.check("sessions", "ask", "s", answer)
            #expect(try await asking.wait() == .exited(answer == "--done" ? 0 : 1))
            #expect(try await other.wait() == .exited(answer == "--done" ? 0 : 1))
        }
    }

    @Test func `messages and options are checked`() async throws {
        try await shell()
        let long = String(repeating: "é", count: 200)
        for words in [
            [long + "x"], [""], [" \t"], ["--detach"], ["--timeout", "1s"], ["m", "--done"], ["--done", "--refuse"],
            ["m", "--timeout", "0s"],
        ] {
            let result = try await vt.call(["sessions", "ask", "s"] + words).run()
            #expect(result.exit == 64, "\(words): \(result.errorText)")
        }
        let invalid = try await vt.bash("vt sessions ask s $'\\xff'")
        #expect(invalid.exit == 64 && invalid.errorText.contains("not UTF-8"), "\(invalid.errorText)")
        #expect(try await vt.run("sessions", "ask", "none", "m").exit == 66)
        #expect(try await question() == nil)
        try await vt.check("sessions", "ask", "s", long, "--detach")
        #expect(try await question()?["message"] as? String == long)
    }

    @Test func `a timeout closes the question, with or without a client`() async throws {
        try await shell()
        let late = try await vt.run("sessions", "ask", "s", "log in", "--timeout", "300ms")
        #expect(late.exit == 124 && late.errorText.contains("was not answered in time"), "\(late.errorText)")
        #expect(try await answer() == "timed-out")
        let detached = try await vt.run("--json", "sessions", "ask", "s", "log in", "--timeout", "500ms", "--detach")
        #expect(try detached.json()["answer"] == nil)
        #expect(try await vt.run("sessions", "ask", "s").exit == 124)
        try await vt.check("sessions", "exec", "s", "true")
    }

    @Test func `a question that was detached outlives its client, and its answer is kept`() async throws {
        try await shell()
        try await vt.check("sessions", "ask", "s", "log in", "--detach")
        let waiting = try vt.start("sessions", "ask", "s", "--json")
        let other = try vt.start("sessions", "ask", "s")
        #expect(try await other.waitUntilIdle())
        other.signal(SIGKILL)
        try await other.wait()
        #expect(try await answer() == nil)
        try await vt.check("sessions", "ask", "s", "--done")
        #expect(try await waiting.wait() == .exited(0))
        #expect(String(decoding: await waiting.output.readToEnd(), as: UTF8.self).contains(#""answer":"done""#))
        try await vt.check("sessions", "ask", "s")
        try await vt.check("sessions", "kill", "s")
        try await vt.check("sessions", "ask", "s")
    }

    @Test func `the end of the client withdraws its question`() async throws {
        try await shell()
        let asking = try await ask("log in")
        asking.signal(SIGKILL)
        try await asking.wait()
        #expect(try await eventually { try await answer() == "withdrawn" })
        try await vt.check("sessions", "exec", "s", "true")
        let late = try await vt.run("sessions", "ask", "s")
        #expect(late.exit == 1 && late.errorText == "vt: the question in 's' was withdrawn\n", "\(late.errorText)")
    }

    @Test(arguments: ["exit", "kill", "holder"])
    func `the end of the session ends the question`(_ end: String) async throws {
        try await shell()
        let asking = try await ask("log in")
        switch end {
        case "exit": try await vt.check("sessions", "send", "s", "exit", "--enter", "--force")
        case "kill": try await vt.check("sessions", "kill", "s", "--grace", "0s")
        default: kill(try await vt.holder(of: "s"), SIGKILL)
        }
        #expect(try await asking.wait() == .exited(1))
        #expect(try await !vt.check("sessions", "list").contains(" asks "))
        #expect(try await vt.run("sessions", "ask", "s").exit == 1)
        #expect(try await vt.run("sessions", "ask", "s", "again").exit == 1)
    }

    @Test func `a frozen or paused session is not asked, and only a forced pause withdraws a question`() async throws {
        try await shell()
        try await vt.check("sessions", "exec", "s", "true")
        for state in ["freeze", "pause"] {
            try await vt.check("sessions", state, "s")
            let result = try await vt.run("sessions", "ask", "s", "log in")
            #expect(result.exit == 75 && result.errorText.contains("vt sessions resume s"), "\(result.errorText)")
            try await vt.check("sessions", "resume", "s")
        }
        let asking = try await ask("log in")
        #expect(try await vt.run("sessions", "pause", "s").exit == 75)
        try await vt.check("sessions", "freeze", "s")
        try await vt.check("sessions", "resume", "s")
        #expect(asking.isRunning)
        try await vt.check("sessions", "pause", "s", "--force")
        #expect(try await asking.wait() == .exited(1))
        try await vt.check("sessions", "resume", "s")
        try await vt.check("sessions", "exec", "s", "true")
    }

    @Test func `a queue keeps its input until the answer`() async throws {
        try await shell()
        let asking = try await ask("log in")
        try await vt.check("queue", "add", "s", "echo que''ued", "--enter")
        #expect(try await vt.run("queue", "flush").exit == 75)
        try await vt.check("sessions", "ask", "s", "--refuse")
        #expect(try await asking.wait() == .exited(1))
        try await vt.check("queue", "flush")
        try await vt.check("sessions", "wait", "s", "--match", "^queued")
    }
}

/// `vt sessions ask` on a server.
@Suite(.crowded, .sharing)
struct RemoteAskTests {
    private let lab: Lab
    private var vt: Vt { lab.vt }

    init() async throws {
        lab = try await Lab.withVt()
        try await vt.check("sessions", "create", "p:s", "--", "bash")
    }

    private func isOpen() async throws -> Bool {
        let question = try await vt.run("sessions", "show", "p:s", "--json").json()["question"]
        guard let question = question as? [String: any Sendable] else { return false }
        return question["answer"] == nil
    }

    @Test func `a person at a session on a server answers, and input waits`() async throws {
        let asking = try vt.start("sessions", "ask", "p:s", "log in")
        #expect(try await eventually { try await isOpen() })
        let busy = try await vt.run("sessions", "send", "p:s", "no")
        #expect(busy.exit == 75 && busy.errorText.contains("'s' waits for a person: 'log in'"), "\(busy.errorText)")
        let line = try await vt.run("sessions", "exec", "p:s", "--force", "--wait", "1m", "echo yes")
        #expect(line.text == "yes\n", "\(line.errorText)")
        let window = try await TerminalWindow(columns: 80, rows: 24, environment: vt.environment)
        try await window.enter("clear; vt attach p:s")
        try await window.wait(for: "^] n: refuse) log in")
        try await window.press("C-]", "y")
        #expect(try await asking.wait() == .exited(0))
        let late = try await vt.run("sessions", "ask", "p:s", "log in", "--timeout", "300ms")
        #expect(late.exit == 124, "\(late.errorText)")
    }

    @Test func `the end of the client withdraws its question, unless it is detached`() async throws {
        let asking = try vt.start("sessions", "ask", "p:s", "log in")
        #expect(try await eventually { try await isOpen() })
        asking.signal(SIGKILL)
        try await asking.wait()
        #expect(try await eventually { try await !isOpen() })
        try await vt.check("sessions", "ask", "p:s", "log in", "--detach")
        let waiting = try vt.start("sessions", "ask", "p:s")
        try await vt.check("sessions", "ask", "p:s", "--refuse")
        #expect(try await waiting.wait() == .exited(1))
    }

    @Test func `a lost connection withdraws the question`() async throws {
        let relay = try Relay(to: lab.server.port)
        try await lab.addProfile("relayed", port: relay.port)
        try await lab.meet("relayed")
        let asking = try vt.start("sessions", "ask", "relayed:s", "log in")
        #expect(try await eventually { try await isOpen() })
        relay.cut()
        #expect(try await asking.wait() == .exited(69))
        #expect(try await eventually { try await !isOpen() })
    }
}
