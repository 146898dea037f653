import Foundation
import TestSupport
import Testing

/// The text of a session as matched by `vt sessions wait` and printed by `vt sessions logs --plain`.
@Suite(.crowded)
struct SessionTextTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    private func wait(_ name: String, _ words: String...) async throws -> [String: Any] {
        try await vt.call(["sessions", "wait", name, "--timeout", "30s", "--json"] + words).run().json()
    }

    @Test func `a progress bar and a word in many colors match as displayed`() async throws {
        let script = """
            for i in 10 55 100; do printf '\\r\\033[K[%3d%%]' $i; sleep 0.05; done; echo
            printf '\\033[31mer\\033[1mr\\033[0mor: none\\n'; sleep 1000
            """
        try await vt.create("paint", script)
        let half = try await wait("paint", "--match", "^\\[ 55%\\]$", "--from", "0")
        #expect(half["line"] as? String == "[ 55%]")
        let offset = try #require(half["offset"] as? Int)
        let full = try await wait("paint", "--match", "^\\[100%\\]$", "--from", "\(offset)")
        #expect(full["match"] as? String == "[100%]")
        let word = try await wait("paint", "--match", "^error: none$", "--from", "0")
        #expect(word["row"] as? Int == 1)
        let log = try await vt.run("sessions", "logs", "paint").output
        let end = try #require(word["offset"] as? Int)
        #expect(log.count == end + 2)
        let before = try await vt.run(
            "sessions",
            "wait",
            "paint",
            "--match",
            "error: none",
            "--from",
            "\(end)",
            "--timeout",
            "200ms"
        )
        #expect(before.status == .exited(124))
        #expect(try await vt.check("sessions", "logs", "paint", "--plain") == "[100%]\nerror: none\n")
    }

    @Test func `logs can be printed without escape sequences, or parts of them`() async throws {
        try await vt.create("paint", "printf '\\033[1;41ma\\033]0;t\\007b\\033[?2026hc\\033[4'")
        try await vt.check("sessions", "wait", "paint", "--exit")
        let logs = ["sessions", "logs", "paint", "--filter"]
        #expect(try await vt.call(logs + ["strip"]).check() == "abc")
        let parts = try await vt.call(logs + ["strip-bg", "--filter", "strip-sync"]).check()
        #expect(parts == "\u{1B}[1ma\u{1B}]0;t\u{7}bc\u{1B}[4")
        #expect(try await vt.call(logs + ["strip", "--plain"]).run().status == .exited(64))
    }

    @Test func `text painted with cursor movements matches as displayed`() async throws {
        try await vt.create("paint", "printf '\\033[?1049h\\033[4;7Hname\\033[4;3Hhost\\033[9;1H'; sleep 1000")
        let found = try await wait("paint", "--match", "^  hostname$", "--from", "0")
        #expect(found["row"] as? Int == 3)
        #expect(found["match"] as? String == "  hostname")
        #expect(try await vt.check("sessions", "logs", "paint", "--plain") == "")
        #expect(try await vt.run("sessions", "wait", "paint", "--raw", "--match", "name").status == .exited(64))
    }

    @Test func `waits for the pages of a pager`() async throws {
        try await vt.create("pager", "seq 1 100 | sed 's/^/number /' | less", ["--size", "40x10", "--env", "LESS="])
        let first = try await wait("pager", "--match", "^number 9$", "--from", "0")
        #expect(first["row"] as? Int == 8)
        let offset = String(try await vt.check("sessions", "send", "pager", "50g").dropLast())
        let second = try await wait("pager", "--match", "^number 5[0-9]$", "--from", offset)
        #expect(second["line"] as? String == "number 50")
        _ = try await vt.check("sessions", "send", "pager", "q")
        #expect(try await vt.run("sessions", "wait", "pager", "--exit").status == .exited(0))
    }

    @Test func `waits for the display of an editor`() async throws {
        let editor = ["vim", "-u", "NONE", "-i", "NONE", "-c", "set nocompatible ruler", "\(vt.home)/text"]
        try await vt.call(["sessions", "create", "editor", "--size", "60x12", "--"] + editor).check()
        let empty = try await wait("editor", "--match", "^~$", "--from", "0")
        #expect(empty["row"] as? Int == 1)
        let offset = String(try await vt.check("sessions", "send", "editor", "ihello from vim").dropLast())
        let typed = try await wait("editor", "--match", "hello from vim", "--from", offset)
        #expect(typed["match"] as? String == "hello from vim")
        _ = try await vt.check("sessions", "send", "editor", "--key", "Escape", ":wq", "--enter")
        #expect(try await vt.run("sessions", "wait", "editor", "--exit").status == .exited(0))
    }

    @Test func `a shell's prompt reports the end of a command and its exit status`() async throws {
        let settings = """
            PS1='ready> '
            PROMPT_COMMAND='printf "\\e]133;D;$?\\a"'
            PS1="\\[\\e]133;A\\a\\]$PS1\\[\\e]133;B\\a\\]" PS0='\\e]133;C\\a'
            """
        try Data(settings.utf8).write(to: URL(fileURLWithPath: "\(vt.home)/rc"))
        try await vt.check("sessions", "create", "shell", "--", "bash", "--noprofile", "--rcfile", "\(vt.home)/rc")
        let ready = try await wait("shell", "--prompt")
        #expect(ready["command_exit"] as? Int == 0)
        for (command, status) in [("sleep 0.3; (exit 7)", 7), ("true", 0)] {
            let offset = String(try await vt.check("sessions", "send", "shell", command, "--enter").dropLast())
            let done = try await wait("shell", "--prompt", "--from", offset)
            #expect(done["command_exit"] as? Int == status)
            #expect(try #require(done["offset"] as? Int) > #require(Int(offset)))
            #expect(try await wait("shell", "--prompt")["offset"] as? Int == done["offset"] as? Int)
        }
        let text = try await vt.check("sessions", "logs", "shell", "--plain")
        #expect(text == "ready> sleep 0.3; (exit 7)\nready> true\nready> ")
        let offset = String(try await vt.check("sessions", "send", "shell", "sleep 1000", "--enter").dropLast())
        let late = try await vt.run("sessions", "wait", "shell", "--prompt", "--from", offset, "--timeout", "400ms")
        #expect(late.status == .exited(124))
        #expect(late.errorText.hasSuffix("'vt sessions logs shell --plain --from \(offset)'\n"))
    }

    @Test(arguments: [["bash", "-l"], ["bash", "-c", "exec -a -bash bash"], ["bash"]])
    func `the environment of a session can mark the prompts of any bash`(program: [String]) async throws {
        for file in [".bash_profile", ".bashrc"] {
            try Data("PS1='mine> '\n".utf8).write(to: URL(fileURLWithPath: "\(vt.home)/\(file)"))
        }
        let marks = ["PS0=\\e]133;C\\a", #"PROMPT_COMMAND=printf "\e]133;D;$?\a\e]133;A\a""#]
        try await vt.call(
            ["sessions", "create", "s", "--shell-integration", "off"] + marks.flatMap { ["--env", $0] } + ["--"]
                + program
        ).check()
        #expect(try await wait("s", "--prompt")["command_exit"] as? Int == 0)
        let offset = String(try await vt.check("sessions", "send", "s", "(exit 7)", "--enter").dropLast())
        #expect(try await wait("s", "--prompt", "--from", offset)["command_exit"] as? Int == 7)
        #expect(try await vt.check("sessions", "logs", "s", "--plain") == "mine> (exit 7)\nmine> ")
    }

    @Test func `a slow regular expression does not prevent a timeout`() async throws {
        try await vt.create("long", "seq -s ' ' 1 9000")
        let slow = ["--match", #"(.*)(.*)(.*)(.*)(.*)\5\4\3\2\1ZZ"#, "--from", "0", "--timeout", "500ms"]
        let began = ContinuousClock.now
        #expect(try await vt.call(["sessions", "wait", "long"] + slow).run().status == .exited(124))
        #expect(ContinuousClock.now - began < .seconds(20))
    }

    @Test func `followed text arrives line by line, and as events with offsets`() async throws {
        try await vt.create("lines", "printf 'a\\tb\\n'; sleep 0.2; printf '1\\r2\\n'; printf '%0100d\\nend' 7")
        let followed = try await vt.check("sessions", "logs", "lines", "-f", "--plain")
        let expected = "a       b\n2\n" + String(repeating: "0", count: 99) + "7\nend"
        #expect(followed == expected)
        #expect(try await vt.check("sessions", "logs", "lines", "--plain") == expected)
        let tail = try await vt.check("sessions", "logs", "lines", "--plain", "--tail", "2")
        #expect(tail == String(expected.dropFirst(12)))
        let events = try await vt.run("sessions", "logs", "lines", "--plain", "--json").jsonLines()
        #expect(events.compactMap { $0["text"] as? String }.joined() == expected)
        #expect(events.compactMap { $0["offset"] as? Int } == [0, 112, 115])
    }
}
