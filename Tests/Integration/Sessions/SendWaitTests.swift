import Foundation
import TestSupport
import Testing

/// `vt sessions send` with `--wait`, on this machine and a server.
@Suite(.crowded)
struct SendWaitTests {
    private let lab: Lab
    private var vt: Vt { lab.vt }

    init() async throws {
        lab = try await .withVt()
    }

    /// Sends a line, and waits.
    private func send(_ session: String, _ line: String, _ options: String...) async throws -> ProgramResult {
        let words = ["sessions", "send", session, line, "--enter", "--timeout", "60s"]
        return try await vt.call(words + options).run()
    }

    private func create(_ name: String, _ command: String...) async throws {
        try await vt.call(["sessions", "create", name, "--size", "60x10", "--"] + command).check()
    }

    static let shells = [["bash"], ["zsh"], ["dash"], ["fish"], ["busybox", "ash"]]

    @Test(arguments: shells)
    func `a shell's output matches, and the echo of the line does not`(_ shell: [String]) async throws {
        try await vt.call(["sessions", "create", "s", "--size", "60x10", "--"] + shell).check()
        try await vt.check("sessions", "wait", "s", "--prompt")
        for index in 0..<5 {
            // The line is wrapped.
            let line = "sleep 0.1; echo \(String(repeating: "x", count: 70)) DONE\(index)"
            let matched = try await send("s", line, "--wait", "match=DONE\(index)", "--json")
            let text = try #require(try matched.json()["line"] as? String)
            #expect(text == String(repeating: "x", count: 70) + " DONE\(index)")
            #expect(matched.exit == 0)
            try await vt.check("sessions", "wait", "s", "--prompt")
            let printed = try await send("s", "sleep 0.1; echo a\(index); false", "--wait", "prompt", "--print")
            #expect(printed.text.hasPrefix("a\(index)\n"), "\(printed.errorText)")
        }
    }

    @Test func `a prompt counts only if it is shown after the input`() async throws {
        try await create("s", "bash")
        try await vt.check("sessions", "wait", "s", "--prompt")
        for _ in 0..<5 {
            let result = try await send("s", "sleep 0.2; sh -c 'exit 3'", "--wait", "prompt", "--json", "--print")
                .json()
            #expect(result["command_exit"] as? Int == 3)
            #expect(result["output"] as? String == "")
        }
    }

    @Test(arguments: ["py", "p:py"])
    func `a program's output is printed without the echo`(session: String) async throws {
        try await create(session, "python3", "-q")
        try await vt.check("sessions", "wait", session, "--match", "^>>> ")
        let result = try await send(session, "print('a' * 3, 'b')", "--wait", "match=^>>> ", "--print")
        #expect((result.text, result.exit) == ("aaa b\n>>> ", 0), "\(result.errorText)")
        let matched = try await send(session, "print(sum([1, 2]))", "--wait", "match=\\d+", "--wait", "exit")
        #expect(matched.text.hasPrefix("match ") && matched.text.hasSuffix(" 3\n"), "\(matched.text)")
        let failed = try await send(session, "1/0", "--wait", "prompt", "--wait", "fail-match=\\bZero\\w+")
        #expect(failed.exit == 1)
        #expect(failed.text.contains("fail-match "))
        let late = try await vt.run("sessions", "send", session, "#", "--wait", "match=x", "--timeout", "200ms")
        #expect(late.exit == 124)
        let ended = try await send(session, "\nexit(5)", "--wait", "exit", "--print")
        #expect((ended.text, ended.exit) == ("", 5))
    }

    @Test(arguments: ["py", "p:py"])
    func `a wait that starts at the last input does not match its echo`(session: String) async throws {
        try await create(session, "python3", "-q")
        try await vt.check("sessions", "wait", session, "--match", "^>>> ")
        let line = "import time; time.sleep(0.3); print('DO' 'NE', 'DONE')"
        let words = ["sessions", "wait", session, "--match", "'?DONE'?", "--timeout", "60s", "--json"]
        let offset = try await vt.check("sessions", "send", session, line, "--enter").trimmingCharacters(in: .newlines)
        #expect(try await vt.call(words).run().json()["line"] as? String == "DONE DONE")
        #expect(try await vt.call(words + ["--from", offset]).run().json()["line"] as? String == "DONE DONE")
        // In parts.
        try await vt.check("sessions", "send", session, line, "--delay", "100ms", "--enter")
        #expect(try await vt.call(words).run().json()["line"] as? String == "DONE DONE")
    }

    @Test(arguments: ["s", "p:s"])
    func `the echo of the last input does not match after the end of the session`(session: String) async throws {
        try await create(session, "sh", "-c", "read x; printf 'Password: '; stty -echo; read x; echo; echo word")
        try await vt.check("sessions", "send", session, "word", "--enter")
        try await vt.check("sessions", "send", session, "secret", "--enter")
        try await vt.check("sessions", "wait", session, "--exit")
        #expect(try await vt.run("sessions", "wait", session, "--match", "word$").text.hasSuffix(" word\n"))
        try await create("\(session)2", "sh", "-c", "read x; echo and $x")
        try await vt.check("sessions", "send", "\(session)2", "word", "--enter")
        try await vt.check("sessions", "wait", "\(session)2", "--exit")
        #expect(try await vt.run("sessions", "wait", "\(session)2", "--match", "word$").text.hasSuffix(" and word\n"))
        for path in [vt.home, lab.server.home] {
            let files = try await ProgramCall("grep", ["-rl", "secret", path]).run()
            #expect(files.text == "", "hidden input is not stored")
        }
    }

    @Test func `an editor in a shell that vt did not start echoes the line once`() async throws {
        try await create("s", "sh", "-c", "exec env -i PS1='$ ' TERM=xterm bash --norc --noprofile")
        try await vt.check("sessions", "wait", "s", "--match", "\\$ $")
        let line = "printf '%s\\n' \(String(repeating: "y", count: 90)) DONE"
        let result = try await send("s", line, "--wait", "match=^DONE", "--print")
        #expect(result.text == String(repeating: "y", count: 90) + "\nDONE", "\(result.errorText)")
    }

    @Test func `a line of input that a program repeats is output`() async throws {
        try await create("s", "cat")
        #expect(try await send("s", "hello", "--wait", "match=hello", "--print").text == "hello")
        let open = ["sessions", "send", "s", "y", "--wait", "match=y", "--wait", "idle=200ms", "--timeout", "60s"]
        #expect(try await vt.call(open).run().text.hasPrefix("idle "))
    }

    @Test func `a command that prints nothing has no output`() async throws {
        try await vt.check("sessions", "create", "s", "--", "bash")
        try await vt.check("sessions", "wait", "s", "--prompt")
        let asked = ["sessions", "send", "s", "printf '? '; read -s x", "--enter", "--wait", "match=\\? $"]
        try await vt.call(asked).check()
        let answered = try await vt.run("sessions", "send", "s", "word", "--enter", "--wait", "prompt", "--print")
        #expect((answered.text, answered.exit) == ("", 0), "\(answered.errorText)")
    }

    @Test(arguments: ["sh", "p:sh"], [false, true])
    func `what came before the time was over is printed`(_ session: String, _ isJSON: Bool) async throws {
        try await create(session, "bash")
        try await vt.check("sessions", "wait", session, "--prompt")
        let line = "printf 'one\\ntwo\\n'; exec sleep 1000"
        let words = [
            "sessions", "send", session, line, "--enter", "--timeout", "2s", "--wait", "match=^never", "--print",
        ]
        let result = try await vt.call(words + (isJSON ? ["--json"] : [])).run()
        #expect(result.exit == 124)
        #expect(try (isJSON ? result.json()["output"] as? String : result.text) == "one\ntwo\n", "\(result.errorText)")
        #expect(result.errorText.contains("nothing matched '^never' within 2s"), "\(result.errorText)")
    }

    @Test(arguments: ["sh", "p:sh"])
    func `what came before the session ended is printed`(_ session: String) async throws {
        try await create(session, "bash")
        try await vt.check("sessions", "wait", session, "--prompt")
        let result = try await send(session, "echo bye; exit 3", "--wait", "match=^never", "--print")
        #expect(result.exit == 255)
        #expect(result.text.hasPrefix("bye\n"), "\(result.text)\(result.errorText)")
    }

    @Test func `hidden input has no echo`() async throws {
        try await create(
            "s",
            "bash",
            "-c",
            "read -rsp 'Password: ' x; echo; echo $x; read -rn1 -p 'Go on? ' y; sleep 60"
        )
        try await vt.check("sessions", "wait", "s", "--match", "word: ")
        let result = try await send("s", "secret", "--wait", "match=^secret$")
        #expect(result.text.hasSuffix(" secret\n"), "\(result.errorText)")
    }

    @Test func `output that begins like hidden input matches after a pause`() async throws {
        // A line editor that hides what is typed turns off the echo and canonical mode, as all line editors do.
        let script = "stty raw -echo icrnl; printf 'PIN: '; read -r x; printf 'Next: data'; sleep 60"
        try await create("s", "sh", "-c", script)
        try await vt.check("sessions", "wait", "s", "--match", "PIN: $")
        let result = try await send("s", "abcd", "--wait", "match=^Next: data$", "--print")
        #expect((result.text, result.exit) == ("Next: data", 0), "\(result.errorText)")
    }

    @Test(arguments: [
        ["--wait", "fail-match=x"], ["--print"], ["--wait", "idle"], ["--wait", "prompt=1"], ["--wait", "match=("],
    ])
    func `invalid conditions are rejected`(_ options: [String]) async throws {
        #expect([64, 255].contains(try await vt.call(["sessions", "send", "s", "x"] + options).run().exit))
    }
}
