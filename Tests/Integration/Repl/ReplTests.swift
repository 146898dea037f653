import Foundation
import TestSupport
import Testing

/// `vt sessions exec --repl` and `--prompt`: lines for programs that show a prompt.
@Suite(.crowded)
struct ReplTests {
    private let lab: Lab
    private var vt: Vt { lab.vt }

    init() async throws {
        lab = try await Lab.withVt()
    }

    private func exec(_ session: String, _ options: String..., line: String) async throws -> ProgramResult {
        try await vt.call(["sessions", "exec", session] + options + ["--", line]).run()
    }

    private func python(_ session: String = "s", _ options: String..., line: String) async throws -> ProgramResult {
        let words = ["sessions", "exec", session, "--repl", "python", "--wait", "60s"]
        return try await vt.call(words + options + ["--", line]).run()
    }

    private func create(_ session: String, _ command: String...) async throws {
        try await vt.call(["sessions", "create", session, "--"] + command).check()
    }

    @Test(arguments: ["s", "p:s"])
    func `nothing is sent while no prompt is shown`(session: String) async throws {
        try await create(session, "/usr/bin/python3", "-q")
        #expect(try await python(session, line: "import time").exit == 0)
        try await vt.check("sessions", "send", session, "time.sleep(1000)", "--enter")
        try await vt.check("sessions", "wait", session, "--screen", "sleep(1000)")
        let before = try await vt.check("sessions", "logs", session)
        let result = try await exec(session, "--repl", "python", line: "1")
        #expect(result.exit == 255 && result.text.isEmpty)
        #expect(result.errorText.contains("vt: '\(session)' shows "), "\(result.errorText)")
        #expect(result.errorText.contains("(busy)"))
        try await vt.check("sessions", "send", session, "--key", "C-c", "--wait", "match=KeyboardInterrupt")
        #expect(try await python(session, line: "1").text == "1\n")
        #expect(try await vt.check("sessions", "logs", session).hasPrefix(before))
        // Text that has been typed is not part of a prompt.
        try await vt.check("sessions", "send", session, "abc")
        try await vt.check("sessions", "wait", session, "--screen", ">>> abc")
        #expect(try await exec(session, "--repl", "python", line: "1").errorText.contains("(busy)"))
        // On the alternate screen, what looks like a prompt belongs to a program that fills the screen.
        try await vt.check("sessions", "send", session, "--key", "C-c", "--wait", "match=KeyboardInterrupt")
        try await vt.check("sessions", "send", session, #"print("\033[?1049h")"#, "--enter", "--wait", "screen=>>>")
        let filled = try await exec(session, "--repl", "python", line: "1")
        #expect(filled.errorText.contains("shows the alternate screen"), "\(filled.errorText)")
    }

    @Test(arguments: ["s", "p:s"])
    func `a prompt in the output does not end it`(session: String) async throws {
        try await create(session, "/usr/bin/python3", "-q")
        let line = "import time\nprint('>>> ', end='', flush=True); time.sleep(1); print('end')"
        let result = try await python(session, line: line)
        #expect((result.text, result.exit) == (">>> end\n", 0), "\(result.errorText)")
    }

    @Test(arguments: [
        ("def f(a):\n    a += 1\n\n    if a:\n        return a\n    else:\n        return 0\nf(41)", "42\n"),
        ("class A:\n    x = 1\n\n    def m(self):\n        return 7\n\nA().m()", "7\n"),
        ("[1,\n 2\n]", "[1, 2]\n"), ("for i in 1, 2:\n    print(i)\nprint('end')", "1\n2\nend\n"),
        ("print('''a\n\n b\nc''')", "a\n\n b\nc\n"),
        ("try:\n    1 / 0\nexcept ZeroDivisionError:\n    print('zero')", "zero\n"),
    ])
    func `blocks of python end where the next statement begins`(lines: String, expected: String) async throws {
        try await create("s", "/usr/bin/python3", "-q")
        let result = try await python(line: lines)
        #expect((result.text, result.exit) == (expected, 0), "\(result.errorText)")
    }

    @Test(arguments: ["s", "p:s"])
    func `lines that are sent at the same time are run one after another`(session: String) async throws {
        try await create(session, "/usr/bin/python3", "-q")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                group.addTask {
                    let line = "import time; time.sleep(0.1); print('line', \(number))"
                    let result = try await python(session, line: line)
                    #expect((result.text, result.exit) == ("line \(number)\n", 0), "\(result.errorText)")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a line waits for the answer to a question, and for a session that is frozen`() async throws {
        try await create("s", "/usr/bin/python3", "-q")
        #expect(try await python(line: "1").text == "1\n")
        try await vt.check("sessions", "ask", "s", "log in", "--detach")
        let refused = try await exec("s", "--repl", "python", line: "2")
        #expect(refused.errorText.contains("(busy)") && refused.exit == 255, "\(refused.errorText)")
        #expect(try await exec("s", "--repl", "python", "--force", line: "3").text == "3\n")
        async let later = python(line: "4")
        try await vt.check("sessions", "ask", "s", "--done")
        #expect(try await later.text == "4\n")
        try await vt.check("sessions", "freeze", "s")
        #expect(try await exec("s", "--repl", "python", "--wait", "100ms", line: "5").errorText.contains("is frozen"))
        async let last = python(line: "6")
        try await vt.check("sessions", "resume", "s")
        #expect(try await last.text == "6\n")
    }

    @Test func `a line for bc is neither an answer to a question nor a line for a shell`() async throws {
        try await create("s", "bash")
        try await vt.check("sessions", "send", "s", "read -s -p 'Password: ' pw; echo got", "--enter")
        try await vt.check("sessions", "wait", "s", "--screen", "Password: ", "--settle", "100ms")
        #expect(try await exec("s", "--repl", "bc", line: "1").errorText.contains("(busy)"))
        try await vt.check("sessions", "send", "s", "--enter", "--wait", "prompt")
        #expect(try await exec("s", "--repl", "bc", line: "1").errorText.contains("(busy)"))
        #expect(try await vt.check("sessions", "screen", "s").contains("\nPassword: got\n"))
    }

    @Test func `a session that has ended is an error`() async throws {
        try await create("s", "true")
        try await vt.check("sessions", "wait", "s", "--exit")
        let result = try await exec("s", "--repl", "python", "--json", line: "1")
        #expect(result.exit == 255 && result.text.isEmpty)
        #expect(try result.jsonError()["code"] as? String == "ended")
    }

    @Test(arguments: ["s", "p:s"])
    func `much output is complete`(session: String) async throws {
        try await create(session, "/usr/bin/python3", "-q")
        let expected = (0..<100_000).map { "\($0)\n" }.joined()
        #expect(try await python(session, line: "for i in range(100000): print(i)").text == expected)
        let line = "for i in range(100000): print(i)"
        let limited = try await python(session, "--max-output", "100", "--json", line: line)
        let document = try limited.json()
        let output = try #require(document["output"] as? String)
        let omitted = try #require(document["truncated"] as? Int)
        let notice = "[\(omitted) bytes of output were omitted here]\n"
        #expect(output.utf8.count - notice.utf8.count + omitted == expected.utf8.count)
        #expect(output.hasPrefix("0\n1\n") && output.contains(notice) && output.hasSuffix("99998\n99999\n"))
    }

    @Test func `the result has the fields of a line in a shell`() async throws {
        try await create("s", "/usr/bin/python3", "-q")
        let result = try await python("s", "--json", line: "6 * 7").json()
        #expect(result["outcome"] as? String == "exit" && result["output"] as? String == "42\n")
        #expect(result["exit"] as? [String: Int] == ["code": 0])
        let from = try #require(result["from"] as? Int)
        let to = try #require(result["to"] as? Int)
        let log = try await vt.check("sessions", "logs", "s", "--from", "\(from)", "--to", "\(to)")
        #expect(log == "6 * 7\r\n42\r\n>>> ")
        let path = try vt.writeElsewhere("x = 5\nx\n", to: "lines.py")
        #expect(try await vt.run("sessions", "exec", "s", "--repl", "python", "--file", path).text == "5\n")
    }

    @Test(arguments: ["s", "p:s"])
    func `pagers, questions and timeouts are reported with the row`(session: String) async throws {
        try await create(session, "/usr/bin/python3", "-q")
        let pager = try await python(session, line: "help(str)")
        #expect(pager.exit == 124 && pager.errorText.contains("waits for input: :\n"), "\(pager.errorText)")
        try await vt.check("sessions", "send", session, "--key", "q", "--wait", "screen=>>>")
        let question = try await python(session, "--return-on-input", "--json", line: "input('Name: ')")
        #expect(question.exit == 124)
        let document = try question.json()
        #expect(document["outcome"] as? String == "input" && document["line"] as? String == "Name:")
        try await vt.check("sessions", "send", session, "Bob", "--enter", "--wait", "screen='Bob'")
        let options = ["--repl", "python", "--timeout", "1s", "--timeout-status", "9", "--", "print('x')\ninput('? ')"]
        let late = try await vt.call(["sessions", "exec", session] + options).run()
        #expect(late.exit == 9 && late.text == "x\n? ")
        #expect(late.errorText.contains("is still running after 1s") && late.errorText.contains("is '?'"))
        try await vt.check("sessions", "send", session, "--enter")
        let silent = try await python(session, "--idle-timeout", "500ms", line: "import time\ntime.sleep(1000)")
        #expect(silent.exit == 124 && silent.errorText.contains("has printed nothing for 500ms"))
        try await vt.check("sessions", "send", session, "--key", "C-c")
        let rest = try await python(session, line: "'''a")
        #expect(rest.exit == 124 && rest.errorText.contains("waits for input: ..."), "\(rest.errorText)")
    }

    @Test func `psql and gdb show no pages`() async throws {
        let database = try await PostgresServer(in: vt)
        let psql = ReplProgram.psql.command(database: database.directory)
        try await vt.call(["sessions", "create", "s", "--size", "40x10", "--env", "PAGER=less", "--"] + psql).check()
        let rows = try await exec("s", "--repl", "psql", "--wait", "60s", line: "select generate_series(1, 50);")
        #expect(rows.text.hasSuffix("50\n(50 rows)\n\n") && rows.exit == 0, "\(rows.errorText)")
        try await vt.call(["sessions", "create", "g", "--size", "40x10", "--", "gdb", "-q", "-nx"]).check()
        let help = try await exec("g", "--repl", "gdb", "--wait", "60s", line: "help all")
        #expect(help.exit == 0 && help.text.split(separator: "\n").count > 500, "\(help.errorText)")
        // Another prompt than the usual one.
        let first = try await exec("s", "--repl", "psql", "--timeout", "1s", line: "\\set PROMPT1 'db> '")
        #expect(first.exit == 124)
        let failed = try await exec("s", "--repl", "psql", "--prompt", "^db> $", line: "select nope;")
        #expect(failed.exit == 1 && failed.text.hasPrefix("ERROR:"), "\(failed.errorText)")
        try await database.stop()
    }

    @Test(arguments: ["s", "p:s"])
    func `a program that ends is reported`(session: String) async throws {
        try await create(session, "bash")
        try await vt.check("sessions", "send", session, "/usr/bin/python3 -q", "--enter")
        #expect(try await python(session, line: "1").text == "1\n")
        let ended = try await python(session, line: "print('bye'); exit(4)")
        #expect((ended.text, ended.exit) == ("bye\n", 4), "\(ended.errorText)")
        #expect(try await vt.run("sessions", "exec", session, "echo $?").text == "4\n")
        try await create("\(session)2", "/usr/bin/python3", "-q")
        let last = try await python("\(session)2", line: "print('bye'); exit(3)")
        #expect((last.text, last.exit) == ("bye\n", 3))
        #expect(last.errorText == "vt: '\(session)2' has ended\n")
    }

    /// The lines that start a shell in the shell of a session.
    private func shells() -> [String] {
        let options = "-F none -p \(lab.server.port) -i \(lab.server.userKeys.path(.ed25519)) -t"
        let trust = "-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null"
        let ssh = "ssh \(options) \(trust) \(lab.server.user)@127.0.0.1 \"PS1='far $ ' bash --norc --noprofile\""
        let su = "PS1='as # ' su -s /bin/dash nobody"
        return [ssh, "PS1='in $ ' dash"] + (getuid() == 0 ? [su] : [])
    }

    @Test(arguments: ["s", "p:s"])
    func `shells at the other end of ssh and su are used by their prompt`(session: String) async throws {
        try await create(session, "bash")
        for shell in shells() {
            try await vt.check("sessions", "wait", session, "--prompt")
            try await vt.check("sessions", "send", session, shell, "--enter")
            for (line, output) in [
                ("echo a; false", "a\n"), ("cd /usr", ""), ("pwd", "/usr\n"), ("clear", ""), ("printf b", "b"),
                ("seq 500", (1...500).map { "\($0)\n" }.joined()),
            ] {
                let options = ["--prompt", "(far|in|as) [$#] $", "--wait", "60s", "--timeout", "60s", "--", line]
                let result = try await vt.call(["sessions", "exec", session] + options).run()
                #expect((result.text, result.exit) == (output, 0), "\(shell): \(line): \(result.errorText)")
            }
            let block = "for i in 1 2\ndo echo $i\ndone"
            let lines = try await exec(session, "--prompt", "((far|in|as) [$#]|^>) $", "--timeout", "60s", line: block)
            #expect(lines.text == "1\n2\n", "\(shell): \(lines.errorText)")
            let status = try await exec(session, "--assume-shell", "sh", "--timeout", "60s", line: "(exit 3)")
            #expect(status.exit == 3, "\(shell): \(status.errorText)")
            try await vt.check("sessions", "send", session, "exit", "--enter", "--wait", "prompt", "--timeout", "60s")
        }
        #expect(try await exec(session, "--prompt", "[$#] $", line: "echo own").text == "own\n")
    }

    @Test func `keys and options that do not apply are rejected`() async throws {
        try await create("s", "/usr/bin/python3", "-q")
        #expect(try await python(line: "1").exit == 0)
        let before = try await vt.check("sessions", "logs", "s")
        for line in ["print(1)\u{3}", "a\rb", "\u{1B}[201~", "\u{9B}A"] {
            let result = try await exec("s", "--repl", "python", line: line)
            #expect(result.errorText.contains("the line contains U+"), "\(result.errorText)")
        }
        let tab = try await exec("s", "--repl", "node", line: "a\tb")
        #expect(tab.errorText.contains("the line contains U+9, which the program takes for a key (usage)"))
        for words in [
            ["--assume-shell", "sh"], ["--stdin"], ["--request-id", "x"], ["--raw"], ["--screen"], ["--interrupt"],
        ] {
            let result = try await vt.call(["sessions", "exec", "s", "--repl", "python"] + words + ["1"]).run()
            #expect(result.exit == 255 && result.errorText.contains("cannot be used together (usage)"))
        }
        for words in [["--prompt", "("], ["--prompt", ""], ["--settle", "1s"], ["--repl", "nope"]] {
            let result = try await vt.call(["sessions", "exec", "s"] + words + ["1"]).run()
            #expect(result.exit == 255 && result.errorText.contains("(usage)"), "\(words): \(result.errorText)")
        }
        #expect(try await vt.check("sessions", "logs", "s") == before)
    }

    @Test func `a terminal that is resized meanwhile shows the same lines`() async throws {
        try await create("s", "/usr/bin/python3", "-q")
        #expect(try await python(line: "import time").exit == 0)
        let line = "for i in range(100): print('y' * 100)\n\nprint('ready'); time.sleep(1); print('z' * 100)"
        async let result = python(line: line)
        try await vt.check("sessions", "wait", "s", "--match", "^ready", "--timeout", "60s")
        try await vt.check("sessions", "resize", "s", "40x10")
        let row = String(repeating: "y", count: 100) + "\n"
        let last = String(repeating: "z", count: 100) + "\n"
        #expect(try await result.text == String(repeating: row, count: 100) + "ready\n" + last)
    }

    @Test func `the MCP server sends lines to programs`() async throws {
        try await create("s", "/usr/bin/python3", "-q")
        let meta = #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#
        func run(_ arguments: String) async throws -> ProgramResult {
            let call = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run","arguments":"#
            return try await vt.run("mcp", input: Array("\(call){\(arguments)},\(meta)}}\n".utf8))
        }
        let value = try await run(#""target":"s","repl":"python","wait_s":60,"line":"6 * 7""#)
        #expect(value.text.contains(#"42\n"#) && value.text.contains(#""isError":false"#), "\(value.text)")
        let missing = try await run(#""target":"none","prompt":">>> $","line":"6 * 7""#)
        #expect(missing.text.contains("no such session"), "\(missing.text)")
        try await create("b", "bash", "-c", "exec bash --norc")
        let shell = try await run(#""target":"b","assume_shell":"bash","wait_s":60,"line":"echo a; (exit 3)""#)
        #expect(shell.text.contains(#"a\n"#), "\(shell.text)")
    }
}
