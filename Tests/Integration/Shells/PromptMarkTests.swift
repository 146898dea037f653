import Foundation
import TestSupport
import Testing

/// Marks of prompts (OSC 133) that are printed while the session's shell is running a command.
@Suite(.crowded)
struct PromptMarkTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    private static let mark = "\u{1B}]133;A\u{07}$ \u{1B}]133;B\u{07}"

    private func send(_ line: String, _ options: String...) async throws -> ProgramResult {
        let words = ["sessions", "send", "s", line, "--enter", "--wait", "prompt", "--timeout", "60s", "--json"]
        return try await vt.call(words + options).run()
    }

    @Test(arguments: TestShell.all)
    func `marks that a program prints do not end a wait while it runs`(_ shell: TestShell) async throws {
        try Data(Self.mark.utf8).write(to: URL(fileURLWithPath: "\(vt.home)/m"))
        try await shell.start("s", with: vt)
        try await vt.check("sessions", "wait", "s", "--prompt")
        let result = try await send("cat m; sleep 1.3; sh -c 'echo end; exit 4'", "--print").json()
        #expect(result["command_exit"] as? Int == 4)
        #expect((result["output"] as? String)?.hasSuffix("end\n") == true, "\(result)")
    }

    @Test(arguments: TestShell.all)
    func `the prompt of a shell in the session counts once that shell reads input`(_ shell: TestShell) async throws {
        try await shell.start("s", with: vt)
        try await vt.check("sessions", "wait", "s", "--prompt")
        let script = "export PS1='$(sleep 0.2)\(Self.mark)'\nexec bash --norc --noprofile"
        try Data(script.utf8).write(to: URL(fileURLWithPath: "\(vt.home)/inner"))
        let started = try await send("sh inner").json()
        #expect(started["condition"] as? String == "prompt")
        let line = "sleep 1.3; printf done >\(vt.home)/ended"
        #expect(try await send(line).exit == 0)
        #expect(try String(contentsOfFile: "\(vt.home)/ended", encoding: .utf8) == "done")
        #expect(try await send("exit 6").json()["command_exit"] as? Int == 6)
    }

    @Test(arguments: TestShell.all)
    func `a wait after an interrupt at the prompt ends with a prompt`(_ shell: TestShell) async throws {
        try await shell.start("s", with: vt)
        try await vt.check("sessions", "wait", "s", "--prompt")
        for text in ["", "abc"] {
            if !text.isEmpty { try await vt.check("sessions", "send", "s", text) }
            try await vt.check("sessions", "send", "s", "--key", "C-c", "--wait", "prompt", "--timeout", "60s")
        }
        // fish ignores an interrupt that arrives while it paints, so that the text may still be there.
        try await vt.check("sessions", "send", "s", "--key", "C-u")
        let result = try await send("sh -c 'exit 5'")
        #expect(try result.json()["command_exit"] as? Int == 5, "\(result.text) \(result.errorText)")
    }

    /// fish does not say that a line starts if it reads it before it has handled a signal.
    @Test func `the status of a line that follows an interrupt at once is reported`() async throws {
        let fish = try #require(TestShell.all.first { $0.family == .fish })
        try await fish.start("s", with: vt)
        try await vt.check("sessions", "wait", "s", "--prompt")
        for status in 5..<8 {
            let words = ["sessions", "send", "s", "--stdin", "--wait", "prompt", "--timeout", "60s", "--json"]
            let result = try await vt.call(words).run(input: Array("\u{3}sh -c 'exit \(status)'\r".utf8))
            #expect(try result.json()["command_exit"] as? Int == status, "\(result.text) \(result.errorText)")
        }
        let next = try await vt.run("sessions", "exec", "s", "sh -c 'echo next; exit 4'")
        #expect(next.text == "next\n" && next.exit == 4)
    }

    /// Half a second after an interrupt, fish is asked for a prompt that may have been lost.
    @Test func `a builtin of fish that reads after an interrupt gets only what is typed`() async throws {
        let fish = try #require(TestShell.all.first { $0.family == .fish })
        try await fish.start("s", with: vt)
        try await vt.check("sessions", "wait", "s", "--prompt")
        try await vt.check("sessions", "send", "s", "--key", "C-c")
        async let running = vt.run("sessions", "exec", "s", "read x; echo got $x; sh -c 'exit 5'")
        try await vt.check("sessions", "wait", "s", "--screen", "read>", "--timeout", "60s")
        try await vt.check("sessions", "wait", "s", "--idle", "700ms")
        try await vt.check("sessions", "send", "s", "word", "--enter")
        let result = try await running
        #expect(result.text.hasSuffix("got word\n") && result.exit == 5, "\(result.text)\(result.errorText)")
    }

    /// For ^C, a terminal discards output that has not been read, such as the prompt with the marks before it.
    @Test(arguments: TestShell.all)
    func `a line ends although the terminal has discarded the prompt after it`(_ shell: TestShell) async throws {
        try await shell.start("s", with: vt)
        try await vt.check("sessions", "wait", "s", "--prompt")
        async let running = vt.run("sessions", "exec", "s", "--timeout", "60s", "sleep 0.5; sh -c 'exit 5'")
        var shown: [String: Any] = [:]
        let hasStarted = try await eventually {
            shown = try await vt.call(["sessions", "show", "s", "--json"]).run().json()
            return (shown["shell"] as? [String: Any])?["state"] as? String == "running"
        }
        let process = try #require(shown["pid"] as? Int)
        let holder = try #require(vt.processes.first { ProcessTable.command($0).contains(" hold ") })
        kill(holder, SIGSTOP)
        let showsPrompt = await eventually {
            func contents(_ name: String) -> String {
                (try? String(contentsOfFile: "/proc/\(process)/\(name)", encoding: .utf8)) ?? ""
            }
            // The sixth field after the name is the process group in the foreground (proc_pid_stat(5)); the place is
            // where the kernel waits for poll(2), or for input of a terminal.
            let fields = contents("stat").split(separator: ")").last?.split(separator: " ") ?? []
            let isWaiting = ["poll_schedule", "wait_woken"].contains { contents("wchan").hasPrefix($0) }
            return isWaiting && fields.count > 5 && fields[5] == "\(process)"
        }
        let terminal = open("/proc/\(process)/fd/0", O_RDWR | O_NOCTTY)
        #expect(hasStarted && showsPrompt && tcflush(terminal, TCOFLUSH) == 0)
        close(terminal)
        kill(holder, SIGCONT)
        try await vt.check("sessions", "send", "s", "--key", "C-c")
        let result = try await running
        #expect(result.exit == 5, "\(result.errorText)")
        #expect(try await vt.check("sessions", "exec", "s", "echo next") == "next\n")
    }

    @Test(arguments: TestShell.all)
    func `input for a running command is not followed by a command`(_ shell: TestShell) async throws {
        try await shell.start("s", with: vt)
        try await vt.check("sessions", "wait", "s", "--prompt")
        try await vt.check("sessions", "send", "s", "head -n 1 >answer", "--enter")
        let isReading = try await eventually {
            let session = try await vt.run("sessions", "show", "s", "--json").json()
            let shell = session["shell"] as? [String: Any]
            return session["reading"] as? Bool == true && shell?["state"] as? String == "running"
        }
        #expect(isReading)
        try await vt.check("sessions", "send", "s", "word", "--enter", "--wait", "prompt", "--timeout", "60s")
        #expect(try String(contentsOfFile: "\(vt.home)/answer", encoding: .utf8) == "word\n")
    }
}
