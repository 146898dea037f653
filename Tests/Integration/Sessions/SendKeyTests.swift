import Foundation
import TestSupport
import Testing

/// `vt sessions send` with keys and clicks for real programs, on this machine and a server.
@Suite(.crowded)
struct SendKeyTests {
    private let lab: Lab
    private var vt: Vt { lab.vt }

    init() async throws {
        lab = try await .withVt()
    }

    /// Starts a program that sets modes, and prints what it gets.
    private func startReader(_ session: String, _ modes: String) async throws {
        let reader = [TestTree.python, TestTree.support("key_reader.py"), modes]
        try await vt.call(["sessions", "create", session, "--size", "60x10", "--"] + reader).check()
        try await vt.check("sessions", "wait", session, "--match", "^ready", "--from", "0", "--timeout", "60s")
    }

    /// Sends input; returns what the program got, with `.` for ESC.
    private func got(_ session: String, _ words: [String]) async throws -> String {
        let wait = ["$", "--wait", "match=^got .*", "--timeout", "60s", "--json"]
        let result = try await vt.call(["sessions", "send", session] + words + wait).run()
        try #require(result.exit == 0, "\(result.errorText)")
        let line = try #require(try result.json()["line"] as? String)
        let digits = Array(line.dropFirst(4))
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
        return String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: ".")
    }

    @Test(arguments: ["keys", "p:keys"])
    func `keys arrive as the modes of the program require`(session: String) async throws {
        let keys = ["Up", "F1", "C-F3", "F20", "KP_5", "C-a", "C-Enter", "S-Tab"].flatMap { ["--key", $0] }
        for (modes, expected) in [
            ("", ".[A.OP.[1;5R.[19;2~5\u{1}\r.[Z"),
            ("\\e[?1h\\e=", ".OA.OP.[1;5R.[19;2~.Ou\u{1}\r.[Z"),
            ("\\e[>4;1m", ".[A.OP.[1;5R.[19;2~5\u{1}.[27;5;13~.[Z"),
            ("\\e[>4;2m", ".[A.OP.[1;5R.[19;2~5.[27;5;97~.[27;5;13~.[27;2;9~"),
            ("\\e[>4;2m\\e[>4;1f", ".[A.OP.[1;5R.[19;2~5.[97;5u.[13;5u.[9;2u"),
            ("\\e[?1h\\e[>1u", ".[A.[P.[13;5~.[57383u5.[97;5u.[13;5u.[9;2u"),
            ("\\e[?1049h\\e[=8;1u", ".[A.[P.[13;5~.[57383u.[57404u.[97;5u.[13;5u.[9;2u"),
        ] {
            try await startReader(session, modes)
            let bytes = try await got(session, keys)
            #expect(bytes == expected, "\(modes)")
            try await vt.check("sessions", "send", session, "quit$")
            try await vt.check("sessions", "wait", session, "--exit")
            try await vt.check("sessions", "kill", session, "--remove")
        }
    }

    @Test(arguments: ["s", "p:s"])
    func `input is repeated, with pauses, and files are sent`(session: String) async throws {
        let file = try vt.writeElsewhere("a\0b", to: "file")
        try await startReader(session, "")
        let texts = ["--text", "--enter", "--enter", "y", "--text", "", "--text", "-x "]
        #expect(try await got(session, texts) == "--enter\ry-x ")
        #expect(try await got(session, ["--key", "F13", "--file", file]) == ".[1;2Pa\0b")
        let began = ContinuousClock.now
        let repeated = ["sessions", "send", session, "--key", "Down", "x", "--repeat", "3", "--delay", "20ms"]
        try await vt.call(repeated).check()
        #expect(ContinuousClock.now - began >= .milliseconds(100))
        #expect(try await got(session, []) == ".[Bx.[Bx.[Bx")
        let late = try await vt.call(repeated + ["--timeout", "50ms"]).run()
        #expect(late.exit == 124)
    }

    @Test(arguments: ["s", "p:s"])
    func `a click arrives as the mouse mode requires`(session: String) async throws {
        try await startReader(session, "漢字 [Save] [Quit]\\r\\n\\e[?1000h".replacing("\\r\\n", with: "\r\n"))
        #expect(try await got(session, ["--click", "[Quit]"]) == ".[M -!.[M#-!")
        let none = try await vt.run("sessions", "send", session, "--click", "[Help]")
        #expect((none.exit, none.errorText) == (1, "vt: '[Help]' is not on the screen\n"))
        try await vt.check("sessions", "kill", session, "--remove")
        try await startReader(session, "漢字 [Save] [Save]\r\n\\e[?1002h\\e[?1006h")
        #expect(try await got(session, ["--click", "8,0", "--click", "漢字"]) == ".[<0;9;1M.[<0;9;1m.[<0;1;1M.[<0;1;1m")
        let several = try await vt.run("sessions", "send", session, "--click", "[Save]")
        #expect(several.exit == 1)
        #expect(several.errorText.hasPrefix("vt: '[Save]' is on the screen 2 times, at 5,0 12,0\n"))
        try await vt.check("sessions", "kill", session, "--remove")
        try await startReader(session, "")
        let deaf = try await vt.run("sessions", "send", session, "--click", "0,0")
        #expect((deaf.exit, deaf.errorText) == (1, "vt: the program has not enabled mouse reporting\n"))
    }

    @Test func `vim recognizes function keys, modified keys and clicks`() async throws {
        let lines = (1...9).map { "alpha beta gamma \($0)\n" }.joined()
        let text = try vt.writeElsewhere(lines, to: "text")
        let vim = ["vim", "-u", "NONE", "-N", "-n", text]
        let create = ["sessions", "create", "s", "--size", "60x12", "--env", "TERM=xterm-256color", "--"]
        try await vt.call(create + vim).check()
        try await vt.check("sessions", "wait", "s", "--match", "gamma 9", "--from", "0", "--timeout", "60s")
        func send(_ words: String..., until text: String) async throws {
            let wait = ["--wait", "match=\(text)", "--timeout", "60s"]
            try await vt.call(["sessions", "send", "s"] + words + wait).check()
        }
        try await vt.check("sessions", "send", "s", ":set mouse=a ttymouse=sgr ruler", "--enter")
        let keys = ["F1", "F5", "F12", "S-F3", "C-F6", "C-Left", "S-Up", "C-Home", "C-PageUp"]
        for (index, key) in keys.enumerated() {
            try await vt.check("sessions", "send", "s", ":nnoremap <\(key)> :echo 'key' \(index) * 7<CR>", "--enter")
        }
        for (index, key) in keys.enumerated() {
            try await send("--key", key, until: "key \(index * 7)( |$)")
        }
        try await send("--key", "C-Right", "--key", "C-Right", "--key", "Down", "--repeat", "2", until: "3,")
        try await send("--click", "gamma 7", until: "7,12")
        try await vt.check("sessions", "send", "s", "--key", "Escape", ":q!", "--enter", "--wait", "exit")
    }
}
