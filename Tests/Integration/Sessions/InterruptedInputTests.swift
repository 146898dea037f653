import TestSupport
import Testing

/// Input that is sent together with a key for which the terminal sends a signal.
@Suite(.crowded)
struct InterruptedInputTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    private func send(_ words: String..., until expression: String) async throws {
        let condition = ["--wait", "match=\(expression)", "--timeout", "60s"]
        try await vt.call(["sessions", "send", "s"] + words + condition).check()
    }

    @Test(arguments: TestShell.all)
    func `a line after ^C reaches the shell as a whole`(_ shell: TestShell) async throws {
        try await shell.start("s", with: vt)
        try await vt.check("sessions", "exec", "s", "true")
        // A shell that gets ^C while it shows its prompt may drop a line itself.
        try await vt.check("sessions", "wait", "s", "--prompt", "--timeout", "60s")
        func interrupt(_ keys: String..., line: String) async throws {
            let words = keys.flatMap { ["--key", $0] } + ["echo line''-\(line)", "--enter"]
            let condition = ["--wait", "match=^line-\(line)$", "--timeout", "60s"]
            try await vt.call(["sessions", "send", "s"] + words + condition).check()
            try await vt.check("sessions", "wait", "s", "--prompt", "--timeout", "60s")
        }
        for number in 1...5 {
            try await interrupt("C-c", line: "\(number)")
            try await interrupt("C-c", "C-c", line: "\(number)-twice")
            // fish notices ^C only at the next key if it is not waiting for one.
            try await vt.check("sessions", "send", "s", "typed before", "--wait", "idle=500ms", "--timeout", "60s")
            try await interrupt("C-c", line: "\(number)-typed")
            try await send("sh -c 'echo up; sleep 1000'", "--enter", until: "^up")
            try await interrupt("C-c", line: "\(number)-program")
        }
        let log = try await vt.check("sessions", "logs", "s", "--plain")
        #expect(!log.contains("not found"), "\(log)")
    }

    @Test(arguments: TestShell.all)
    func `what precedes a signal is read`(_ shell: TestShell) async throws {
        try await shell.start("s", with: vt)
        try await vt.check("sessions", "exec", "s", "true")
        // A shell that gets ^C while it shows its prompt may drop a line itself.
        func prompt() async throws { try await vt.check("sessions", "wait", "s", "--prompt", "--timeout", "60s") }
        try await prompt()
        for number in 1...5 {
            for key in ["C-c", "C-\\"] {
                let name = "\(key == "C-c" ? "interrupt" : "quit")-\(number)"
                try await send("echo ''\(name)", "--enter", "--key", key, until: "^\(name)$")
                try await prompt()
            }
            try await send("sh -c 'echo up; sleep 1000'", "--enter", "--key", "C-c", until: "^up")
            try await prompt()
            try await vt.check("sessions", "send", "s", "echo ''later-\(number)", "--enter")
            try await vt.check("sessions", "send", "s", "--key", "C-c")
            try await vt.check(
                "sessions",
                "wait",
                "s",
                "--match",
                "^later-\(number)$",
                "--from",
                "0",
                "--timeout",
                "60s"
            )
            try await prompt()
        }
    }

    @Test func `a signal reaches a program that does not read`() async throws {
        try await vt.check("sessions", "create", "s", "--", "sh", "-c", "stty -echo; echo up; exec sleep 1000")
        try await vt.check("sessions", "wait", "s", "--match", "^up", "--from", "0")
        let words = [
            "sessions", "send", "s", "unread", "--enter", "--key", "C-c", "--wait", "exit", "--timeout", "60s",
        ]
        #expect(try await vt.call(words).run().status == .exited(130))
    }

    /// Programs without a hook that read lines with an editor, and the shells that start without one.
    @Test(arguments: [
        ("python3 -q", ">>>", "print('one' + 'two')"), ("node", ">", "console.log('one' + 'two')"),
        ("irb", "irb", "puts 'one' + 'two'"), ("gdb -q", "(gdb)", "echo one\"\"two\\n"),
        ("sqlite3", "sqlite>", "select 'one' || 'two';"), ("bc -q", "", "print \"one\",\"two\\n\""),
        ("dash -i", "ready>", "echo one''two"), ("sh -c 'exec bash --norc --noprofile'", "ready>", "echo one''two"),
    ])
    func `a line before or after ^C reaches a program as a whole`(
        _ command: String,
        _ prompt: String,
        _ line: String
    ) async throws {
        try await vt.check("sessions", "create", "s", "--env", "PS1=ready> ", "--", "sh", "-c", "exec \(command)")
        let condition = prompt.isEmpty ? ["--idle", "1s"] : ["--screen", prompt, "--settle", "1s"]
        try await vt.call(["sessions", "wait", "s", "--timeout", "60s"] + condition).check()
        for _ in 1...5 { try await send("--key", "C-c", line, "--enter", until: "^one\"*two$") }
        try await send(line, "--enter", "--key", "C-c", until: "^one\"*two$")
    }

    @Test func `a program that ignores ^C gets what follows`() async throws {
        let script = "trap '' INT; echo up; while read -r x; do echo \"got $x\"; done"
        try await vt.check("sessions", "create", "s", "--", "sh", "-c", script)
        try await vt.check("sessions", "wait", "s", "--match", "^up", "--from", "0")
        try await send("--key", "C-c", "one", "--key", "C-c", "two", "--enter", until: "^got two$")
        // Without signals, the terminal passes the bytes on.
        let raw = "stty raw -echo; printf 'up\\r\\n'; dd bs=1 count=5 2>/dev/null | od -An -c"
        try await vt.check("sessions", "create", "raw", "--", "sh", "-c", raw)
        try await vt.check("sessions", "wait", "raw", "--match", "^up", "--from", "0")
        try await vt.check("sessions", "send", "raw", "a", "--key", "C-c", "b", "--key", "C-z", "c", "--wait", "exit")
        #expect(try await vt.check("sessions", "logs", "raw", "--plain").contains("a 003   b 032   c"))
    }

    @Test func `input after ^C waits for a program that does not read yet`() async throws {
        let script =
            "import os, signal, time\nsignal.signal(signal.SIGINT, lambda *_: time.sleep(0.2))\n"
            + "os.system('stty -icanon -echo')\nprint('up', flush=True)\n"
            + "while True:\n  byte = os.read(0, 1)\n  print('got', byte, flush=True)\n"
        let path = try vt.writeElsewhere(script, to: "slow.py")
        try await vt.check("sessions", "create", "s", "--", "python3", path)
        try await vt.check("sessions", "wait", "s", "--match", "^up", "--from", "0")
        for key in ["x", "y", "z"] { try await send("--key", "C-c", key, until: "^got b'\(key)'$") }
    }
}
