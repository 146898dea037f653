import Foundation
import TestSupport
import Testing

/// `vt attach` in a real terminal, with common programs.
@Suite(.crowded)
struct AttachTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    /// Opens a window attached to the session.
    private func window(
        attachedTo session: String,
        columns: Int = 90,
        rows: Int = 31,
        _ options: String = ""
    ) async throws -> TerminalWindow {
        let window = try await TerminalWindow(columns: columns, rows: rows, environment: vt.environment)
        let attach = "sh -c 'echo $$ >~/client; exec vt attach \(session) \(options)'; echo status=$?"
        try await window.enter("stty -g >~/before; clear; \(attach); stty -g >~/after")
        return window
    }

    /// The process of the client that attached last.
    private func client() throws -> pid_t {
        let text = try String(contentsOfFile: "\(vt.home)/client", encoding: .utf8)
        return try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    private func signalClient(_ signal: Int32) throws {
        #expect(kill(try client(), signal) == 0)
    }

    /// Waits until no process is the client any more, which until then receives what is typed.
    private func waitForClient() async throws {
        let client = try client()
        #expect(await eventually { kill(client, 0) != 0 })
    }

    /// Checks that the terminal's settings are the same as before the client attached.
    private func expectFormerSettings() async throws {
        let (before, after) = ("\(vt.home)/before", "\(vt.home)/after")
        _ = await eventually { FileManager.default.contentsEqual(atPath: before, andPath: after) }
        let former = try String(contentsOfFile: before, encoding: .utf8)
        let current = try String(contentsOfFile: after, encoding: .utf8)
        #expect(current == former)
    }

    @Test func `a shell is usable, and its exit status is passed through`() async throws {
        try await vt.check("sessions", "create", "s", "--env", "PS1=inner> ", "--", "sh")
        let window = try await window(attachedTo: "s")
        try await window.wait(for: "inner>")
        try await window.enter("echo he''llo")
        try await window.wait(for: "\nhello")
        try await window.enter("exit 7")
        try await window.wait(for: "status=7")
    }

    @Test func `creates a session of the terminal's size, and attaches to it again while it runs`() async throws {
        let window = try await TerminalWindow(columns: 90, rows: 31, environment: vt.environment)
        let words = "attach --create --env A=b --pass-env 'TMUX*' s -- sh -c 'stty size; echo $A$TMUX_PANE; cat'"
        try await window.enter("clear; vt \(words); echo status=$?")
        try await window.wait(for: "31 90\nb%0\n")
        let id = try await vt.run("--json", "sessions", "show", "s").json()["id"] as? String
        try await window.press("C-]")
        try await window.wait(for: "status=0")
        try await window.enter("clear; vt \(words); echo again=$?")
        // What the first client left is on the screen until it is cleared.
        try await window.wait { $0.contains("31 90\nb%0\n") && !$0.contains("status=0") }
        #expect(try await vt.run("--json", "sessions", "show", "s").json()["id"] as? String == id)
        try await window.press("C-d")
        try await window.wait(for: "again=0")
        let other = try await vt.run("attach", "s", "--", "cat")
        #expect(other.errorText.hasPrefix("vt: COMMAND can be used only with --create"))
    }

    @Test func `create uses the size of the terminal`() async throws {
        let window = try await TerminalWindow(columns: 90, rows: 31, environment: vt.environment)
        try await window.enter("vt sessions create s -- stty size >/dev/null; vt sessions create t -- stty size | cat")
        try await window.enter("clear; vt sessions wait s t --exit; vt sessions logs s; vt sessions logs t")
        try await window.wait(for: "31 90\n31 90\n")
    }

    @Test func `a slow terminal receives all output and the exit status`() async throws {
        try await vt.check("sessions", "create", "s", "--", "sh", "-c", "read x; seq 40000; echo end; exit 3")
        // Reads about 80 KB per second, so that much of the output is still to be written when the session ends.
        let script = """
            import os, pty, time
            pid, fd = pty.fork()
            if pid == 0: os.execvp("vt", ["vt", "attach", "s"])
            os.write(fd, b"go\\n")
            tail = b""
            while True:
                try: data = os.read(fd, 4096)
                except OSError: break
                tail = (tail + data)[-2000:]
                time.sleep(0.05)
            print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), b"40000\\r\\nend\\r\\n" in tail)
            """
        let call = ProgramCall("python3", ["-c", script], environment: vt.environment)
        #expect(try await call.check() == "3 True\n")
    }

    @Test func `the session adopts the size of the window, even the default size`() async throws {
        try await vt.check("sessions", "create", "s", "--env", "PS1=inner> ", "--", "sh")
        let window = try await window(attachedTo: "s")
        try await window.wait(for: "inner>")
        for (columns, rows) in [(90, 31), (132, 43), (80, 24)] {
            try await window.resize(columns: columns, rows: rows)
            try await window.wait { _ in true }
            try await window.enter("clear; until [ \"$(stty size)\" = '\(rows) \(columns)' ]; do :; done; stty size")
            try await window.wait(for: "\(rows) \(columns)\n")
        }
    }

    @Test func `detaching from an editor restores the terminal, and attaching again shows the editor`() async throws {
        let editor = ["vim", "-u", "NONE", "-c", "set mouse=a nocompatible", "text"]
        try await vt.call(["sessions", "create", "s", "--cwd", vt.home, "--"] + editor).check()
        let window = try await window(attachedTo: "s")
        let former = try await TerminalWindow(columns: 90, rows: 31, environment: vt.environment).modes()
        try await window.wait(for: "~")
        try await window.type("ihello from vim")
        try await window.wait(for: "hello from vim")
        #expect(try await window.modes() != former)
        try await window.press("C-]")
        try await window.wait(for: "status=0")
        #expect(try await window.screen().contains("detached from s"))
        #expect(try await window.modes() == former)
        try await expectFormerSettings()
        try await window.enter("clear; vt attach s; echo ended=$?")
        try await window.wait(for: "hello from vim")
        try await window.press("Escape")
        try await window.enter(":wq")
        try await window.wait(for: "ended=0")
        #expect(try await window.modes() == former)
        #expect(try String(contentsOfFile: "\(vt.home)/text", encoding: .utf8) == "hello from vim\n")
    }

    @Test func `a pager is usable`() async throws {
        let file = try vt.writeElsewhere((1...500).map { "line \($0)\n" }.joined(), to: "lines")
        try await vt.check("sessions", "create", "s", "--", "less", file)
        let window = try await window(attachedTo: "s")
        try await window.wait(for: "line 30\n")
        try await window.type("G")
        try await window.wait(for: "line 500")
        try await window.type("q")
        try await window.wait(for: "status=0")
    }

    @Test func `a full-screen monitor is usable`() async throws {
        try await vt.check("sessions", "create", "s", "--", "htop")
        let window = try await window(attachedTo: "s", columns: 120)
        try await window.wait(for: "PID")
        try await window.press("C-]")
        try await window.wait(for: "status=0")
        try await window.enter("clear; vt attach s; echo ended=$?")
        try await window.wait(for: "PID")
        try await window.type("q")
        try await window.wait(for: "ended=0")
    }

    @Test(arguments: [
        SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU, SIGABRT, SIGSEGV,
    ])
    func `a client ended by a signal restores the terminal, and the session continues`(_ signal: Int32) async throws {
        try await vt.check("sessions", "create", "s", "--", "sh", "-c", "printf '\\033[?1049h\\033[?1000hready'; cat")
        let window = try await window(attachedTo: "s")
        try await window.wait(for: "ready")
        try signalClient(signal)
        // After an interrupt, the shell does not run the rest of its line.
        try await window.wait { !$0.contains("ready") }
        try await waitForClient()
        try await window.enter("stty -g >~/after; echo do''ne")
        try await window.wait(for: "done")
        #expect(try await window.modes().hasPrefix("alternate_on=0 mouse_any_flag=0"))
        try await expectFormerSettings()
        #expect(try await vt.run("--json", "sessions", "show", "s").json()["state"] as? String == "running")
    }

    @Test(arguments: [SIGTSTP, SIGTTIN, SIGTTOU])
    func `a stopped client restores the terminal, and shows the session when continued`(
        _ signal: Int32
    ) async throws {
        try await vt.check("sessions", "create", "s", "--", "sh", "-c", "printf '\\033[?1049h\\033[?1000hready'; cat")
        let window = try await window(attachedTo: "s")
        try await window.wait(for: "ready")
        try signalClient(signal)
        try await window.wait { !$0.contains("ready") }
        try await window.enter("stty -g >~/after; echo sto''pped")
        try await window.wait(for: "stopped")
        #expect(try await window.modes().hasPrefix("alternate_on=0 mouse_any_flag=0"))
        try await expectFormerSettings()
        try await window.enter("fg")
        try await window.wait(for: "ready")
        #expect(try await window.modes().hasPrefix("alternate_on=1 mouse_any_flag=1"))
        try await window.press("C-]")
        try await window.wait { !$0.contains("ready") }
    }

    @Test func `two clients show the same screen, and input to a read-only client is ignored`() async throws {
        try await vt.check("sessions", "create", "s", "--", "cat")
        let first = try await window(attachedTo: "s")
        let second = try await window(attachedTo: "s", "--read-only")
        try await first.enter("from the first")
        try await second.wait(for: "from the first")
        try await second.enter("from the second")
        try await first.enter("the end")
        try await second.wait(for: "the end")
        #expect(try await !first.screen().contains("from the second"))
    }

    @Test func `a client in the session's own terminal cannot attach to the session`() async throws {
        try await vt.check("sessions", "create", "s", "--", "sh")
        let window = try await window(attachedTo: "s")
        try await window.enter("clear; \(TestTree.vt) attach s; echo nested=$?; exit 4")
        try await window.wait(for: "cannot attach session 's' to its own terminal")
        try await window.wait(for: "nested=255")
        try await window.wait(for: "status=4")
    }

    @Test func `reads input from a pipe and writes output to a pipe unchanged`() async throws {
        try await vt.check("sessions", "create", "s", "--", "sh")
        let result = try await vt.run("attach", "s", input: Array("echo he''llo; exit 5\n".utf8))
        #expect(result.exit == 5)
        #expect(result.text.contains("hello\r\n"))
        #expect(!result.output.contains(0x1B))
    }

    @Test func `without a terminal, shows all output of a session that it creates, and the end of one that ended`()
        async throws
    {
        let script = "echo first; sleep 0.2; echo last; exit 5"
        for _ in 0..<2 {
            let result = try await vt.run("attach", "--create", "s", "--", "sh", "-c", script)
            #expect(result.exit == 5)
            #expect(result.text == "first\r\nlast\r\n")
        }
        let ended = try await vt.run("attach", "s")
        #expect(ended.exit == 5)
        #expect(ended.text == "first\nlast\n")
    }

    @Test func `shows only later output of a session that exists, even with --create`() async throws {
        try await vt.check("sessions", "create", "s", "--", "sh", "-c", "echo first; read line; echo last; exit 5")
        try await vt.check("sessions", "wait", "s", "--match", "first", "--from", "0")
        let result = try await vt.run("attach", "--create", "s", "--", "false", input: Array("x\n".utf8))
        #expect(result.exit == 5)
        #expect(result.text == "x\r\nlast\r\n")
    }

    @Test func `a terminal shows all output of a session that is created, each line once`() async throws {
        let window = try await window(attachedTo: "--create s -- seq 300", rows: 400)
        try await window.wait(for: "status=0")
        let lines = try await window.screen().split(separator: "\n").map { String($0) }
        #expect(lines.filter { Int($0) != nil } == (1...300).map { String($0) })
    }

    @Test func `rejects a line that is too long for the session's terminal`() async throws {
        try await vt.check("sessions", "create", "s", "--", "cat")
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 5_000)
        let result = try await vt.run("--json", "attach", "s", input: line + [UInt8(ascii: "\n")])
        #expect(result.exit == 255)
        #expect(try result.jsonError()["code"] as? String == "data.invalid")
    }

    @Test func `shows all output of a session whose holder is killed, and reports it as lost`() async throws {
        try await vt.check("sessions", "create", "s", "--", "cat")
        let client = try vt.start("--json", "attach", "s")
        try client.input.write("typed\n")
        try await client.output.read(until: "typed\r\ntyped\r\n")
        let id = try #require(try await vt.run("--json", "sessions", "show", "s").json()["id"] as? String)
        let record = try Data(contentsOf: URL(fileURLWithPath: "\(vt.stateHome)/sessions/\(id)/session.json"))
        let fields = try #require(try JSONSerialization.jsonObject(with: record) as? [String: Any])
        #expect(kill(try #require(fields["holder_pid"] as? pid_t), SIGKILL) == 0)
        let errors = await String(decoding: client.errors.readToEnd(), as: UTF8.self)
        #expect(try await client.wait() == .exited(255))
        #expect(errors.contains(#""code":"ended""#))
    }

    @Test func `shows a session that has ended, and exits with its status`() async throws {
        try await vt.check("sessions", "create", "s", "--", "sh", "-c", "echo last words; exit 9")
        _ = try await vt.run("sessions", "wait", "s", "--exit")
        let window = try await window(attachedTo: "s")
        try await window.wait(for: "last words")
        try await window.wait(for: "status=9")
    }

    @Test func `attaching to a session that does not exist exits with 255`() async throws {
        let result = try await vt.run("--json", "attach", "none")
        #expect(result.exit == 255)
        #expect(try result.jsonError()["code"] as? String == "not-found")
    }

    @Test func `the session can use the SSH agent of the attached client`() async throws {
        try await vt.call(["sessions", "create", "s", "--", "sh"], environment: ["SSH_AUTH_SOCK": "/nowhere"]).check()
        let socket = "\(vt.home)/agent.sock"
        let result = try await vt.call(["attach", "s"], environment: ["SSH_AUTH_SOCK": socket])
            .run(input: Array("echo \"<$(readlink \"$SSH_AUTH_SOCK\")>\"; exit\n".utf8))
        #expect(result.text.contains("<\(socket)>\r\n"), "\(result.text)")
    }
}
