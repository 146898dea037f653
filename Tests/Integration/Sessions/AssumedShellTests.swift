import Foundation
import TestSupport
import Testing

/// `vt sessions exec --assume-shell`: lines typed into shells that vt did not start.
@Suite(.crowded)
struct AssumedShellTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    private static let shells = [
        ("bash", "bash --norc --noprofile"), ("bash", "bash --norc --posix +o emacs"), ("zsh", "zsh -f"),
        ("sh", "dash"),
        ("sh", "busybox ash"), ("sh", "bash --norc"),
    ]

    private func exec(_ name: String, _ shell: String, _ words: String...) async throws -> ProgramResult {
        let options = ["--assume-shell", shell, "--wait", "60s", "--timeout", "60s"]
        return try await vt.call(["sessions", "exec", name] + options + words).run()
    }

    /// Creates a session with a shell that has no hook, in another shell or instead of one.
    private func create(_ name: String, _ command: String, isNested: Bool) async throws {
        let line = "env -i TERM=xterm PATH=\"$PATH\" PS1='> ' \(command)"
        if isNested {
            try await vt.check("sessions", "create", name, "--", "bash")
            try await vt.check("sessions", "wait", name, "--prompt")
            try await vt.check("sessions", "send", name, line, "--enter", "--wait", "match=^> $", "--timeout", "60s")
        } else {
            try await vt.check("sessions", "create", name, "--", "sh", "-c", "exec \(line)")
            try await vt.check("sessions", "wait", name, "--match", "^> $", "--timeout", "60s")
        }
    }

    @Test(arguments: shells, [true, false])
    func `a line is run with its output and status`(_ shell: (String, String), isNested: Bool) async throws {
        try await create("s", shell.1, isNested: isNested)
        let cases: [(line: String, output: String, exit: Int32)] = [
            ("printf '%s\\n' \"a!b 'c' é $((1 + 2)) %s \\\\\"; false", "a!b 'c' é 3 %s \\\n", 1), ("echo $?", "1\n", 0),
            ("cd /usr; cat <<E\none\n\ttwo\nE", "one\n        two\n", 0), ("pwd; (exit 7)", "/usr\n", 7),
            ("printf '\\033]133;D;0\\007no newline'; sh -c 'exit 9'", "no newline", 9), ("", "", 0),
            ("for i in 1 2\ndo echo $i\ndone\n\n", "1\n2\n", 0),
        ]
        for (line, output, exit) in cases {
            let result = try await exec("s", shell.0, "--", line)
            #expect((result.text, result.exit) == (output, exit), "\(line): \(result.errorText)")
        }
        let wrong = try await exec("s", shell.0, "--", "echo 'a")
        #expect([1, 2].contains(wrong.exit) && !wrong.text.isEmpty, "\(wrong.errorText)")
        #expect(try await exec("s", shell.0, "echo", "next").text == "next\n")
        // Only the mark that a line has printed is part of the output.
        let log = try await vt.check("sessions", "logs", "s")
        #expect(log.components(separatedBy: "\u{1B}]133;").count == 2)
    }

    @Test(arguments: [("bash", "bash --norc"), ("zsh", "zsh -f"), ("sh", "dash")])
    func `the end of an interrupted line is unknown, and the next one runs`(_ shell: (String, String)) async throws {
        try await create("s", shell.1, isNested: true)
        let words = ["sessions", "exec", "s", "--assume-shell", shell.0, "--json", "--timeout", "200ms", "--interrupt"]
        let result = try await vt.call(words + ["sleep 1000; echo no"]).run().json()
        #expect(result["outcome"] as? String == "unknown")
        #expect(try await exec("s", shell.0, "echo next").text == "next\n")
        // The session's own shell is back.
        let ended = try await vt.call(words + ["exit 3"]).run().json()
        #expect(ended["outcome"] as? String == "unknown")
        let own = try await exec("s", "bash", "echo own")
        #expect((own.text, own.exit) == ("own\n", 0), "\(own.errorText)")
    }

    @Test func `lines are run one after the other`() async throws {
        try await create("s", "bash --norc", isNested: true)
        let slow = try vt.start("sessions", "exec", "s", "--assume-shell", "bash", "echo up; read x; echo $x")
        try await slow.output.read(until: "up\n")
        let busy = try await vt.run("sessions", "exec", "s", "--assume-shell", "bash", "echo no")
        #expect(busy.exit == 255)
        #expect(busy.errorText.contains("another line is running in the shell of 's' (busy)"), "\(busy.errorText)")
        let own = try await vt.run("sessions", "exec", "s", "echo no")
        #expect(own.errorText.contains("--assume-shell"), "\(own.errorText)")
        let args = ["sessions", "exec", "s", "--assume-shell", "bash", "--wait", "60s", "echo last"]
        let waiting = try vt.call(args).start()
        try await vt.check("sessions", "send", "s", "hello", "--enter")
        #expect(try await slow.wait() == .exited(0))
        #expect(try await waiting.output.read(until: "last\n") == "last\n")
    }

    @Test func `a line that is too long for the terminal is refused`() async throws {
        try await create("s", "dash", isNested: false)
        let line = "echo '" + String(repeating: "!", count: 1000) + "'"
        let long = try await exec("s", "sh", "--", line)
        #expect(long.exit == 255)
        #expect(long.errorText.contains("accepts 4095"), "\(long.errorText)")
        #expect(try await exec("s", "sh", "echo", "next").text == "next\n")
        try await create("b", "bash --norc", isNested: false)
        #expect(try await exec("b", "bash", "--", line).text == String(repeating: "!", count: 1000) + "\n")
    }

    @Test func `a program that is not a shell does not run the line`() async throws {
        try await vt.check("sessions", "create", "s", "--", "cat")
        let words = ["sessions", "exec", "s", "--assume-shell", "sh", "--wait", "200ms", "echo no"]
        let result = try await vt.call(words).run()
        #expect(result.exit == 255)
        #expect(result.errorText.contains("no shell of 's' has started the typed line"), "\(result.errorText)")
    }
}
