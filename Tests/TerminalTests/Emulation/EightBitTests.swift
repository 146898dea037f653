import Core
import Testing

@testable import Terminal

/// ISO 8859-1, national character sets, and replies with 8-bit controls; `XtermScreenTests` has the screens.
struct EightBitTests {
    private static func emulator(_ text: String) throws -> Emulator {
        var emulator = Emulator(size: try TerminalSize(parsing: "20x3"))
        emulator.feed(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
        return emulator
    }

    @Test func `a title is decoded in the current encoding`() throws {
        #expect(try Self.emulator("\u{1B}%@\u{1B}]2;caf\u{E9}\u{7}").title == "café")
        #expect(try Self.emulator("\u{1B}%@\u{1B}]2;\u{85}caf\u{E9}\u{7}").title == "café")
        #expect(try Self.emulator("\u{1B}%@\u{1B}%G\u{1B}]2;caf\u{C3}\u{A9}\u{7}").title == "café")
    }

    /// The states differ in the characters that bytes and sets of both halves select afterward.
    @Test(arguments: [
        "", "\u{1B}%@\u{E9}", "\u{1B}[?42h\u{1B}(K{", "\u{1B}[?42h\u{1B}(K{\u{1B}%G", "\u{1B}%@\u{1B}[?42h\u{1B})R",
        "\u{1B}%@\u{1B}[?42h\u{1B}%G\u{1B}(4", "\u{1B}[?42h\u{1B}(%6\u{1B}7\u{1B}(Y", "\u{1B}[?42h\u{1B}(K\u{1B}[?42l",
        "\u{1B}[?42h\u{1B}(K\u{1B}[?1049h\u{1B}(R", "\u{1B}%@\u{1B}]2;\u{E9}", "\u{1B}%G\u{C3}\u{A9}\u{1B}%@",
        "\u{1B} G",
        "\u{1B}[?42h\u{1B}(A", "abcdefghijklmnopqrst\u{1B}[?42h\u{1B}(K",
        "abcdefghijklmnopqrs\u{E4}\u{BC}\u{A2}\u{1B}%@",
    ])
    func `the rendered state restores the encoding and the sets`(_ text: String) throws {
        let emulator = try Self.emulator(text)
        for more in ["\u{C3}\u{A9}", "[#\u{0E}#", "\u{1B}8#{", "\u{1B}[?42l\u{C3}\u{A4}{", "\u{7}\u{E9}", "\u{1B}[5n"] {
            var (original, copy) = (emulator, Emulator(size: emulator.size))
            copy.feed(StateRenderer.render(emulator))
            let bytes = more.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
            original.feed(bytes)
            copy.feed(bytes)
            #expect(copy.screen().differences(from: original.screen()) == [], "\(more.debugDescription)")
            #expect(copy.takeAnswers() == original.takeAnswers())
        }
    }

    /// Two stops, a stop that is not a tab stop, and the first column.
    @Test(arguments: ["\u{1B}[Z", "\u{1B}[2Z", "\u{1B}[9Z", "\u{1B}[Z\u{1B}[g", "\u{1B}[3g\u{1B}[Z"])
    func `the rendered state restores a pending wrap that CBT has moved`(_ text: String) throws {
        let emulator = try Self.emulator("abcdefghijklmnopqrst\(text)")
        var copy = Emulator(size: emulator.size)
        copy.feed(StateRenderer.render(emulator))
        #expect(copy.cursor.isWrapPending)
        #expect(copy.screen().differences(from: emulator.screen()) == [])
    }

    /// Replies of xterm 379, except for the identification.
    @Test(arguments: [
        ("\u{1B} G\u{1B}[6n", "\u{9B}1;1R"), ("\u{1B} G\u{1B}[c", "\u{9B}?62;22c"),
        ("\u{1B} G\u{1B}[=c", "\u{90}!|00000000\u{9C}"), ("\u{1B} G\u{1B}P$qm\u{1B}\\", "\u{90}1$r0m\u{9C}"),
        ("\u{1B} G\u{1B}P$q\"p\u{1B}\\", "\u{90}1$r62;0\"p\u{9C}"),
        ("\u{1B} G\u{1B}]4;1;red\u{7}\u{1B}]4;1;?\u{1B}\\", "\u{9D}4;1;rgb:ffff/0000/0000\u{9C}"),
        ("\u{1B} G\u{1B}]4;1;red\u{7}\u{1B}]4;1;?\u{7}", "\u{9D}4;1;rgb:ffff/0000/0000\u{7}"),
        ("\u{1B} G\u{1B}[2$w\u{1B}[5n", "\u{90}2$u9/17\u{9C}\u{9B}0n"), ("\u{1B} G\u{1B} F\u{1B}[5n", "\u{1B}[0n"),
        ("\u{1B} G\u{1B}c\u{1B}[5n", "\u{1B}[0n"), ("\u{1B} G\u{1B}[!p\u{1B}[5n", "\u{1B}[0n"),
        ("\u{1B}[62\"p\u{1B}[5n", "\u{9B}0n"), ("\u{1B}[64;0\"p\u{1B}[5n", "\u{9B}0n"),
        ("\u{1B}[62;2\"p\u{1B}[5n", "\u{9B}0n"), ("\u{1B}[62;1\"p\u{1B}[5n", "\u{1B}[0n"),
        ("\u{1B}[61;2\"p\u{1B}[5n", "\u{1B}[0n"), ("\u{1B} G\u{1B}[66\"p\u{1B}[5n", "\u{9B}0n"),
        ("\u{1B} G\u{1B}7\u{1B} F\u{1B}8\u{1B}[5n", "\u{1B}[0n"),
    ])
    func `replies contain the form of C1 controls that the program has selected`(_ text: String, _ reply: String) throws
    {
        var emulator = try Self.emulator(text)
        #expect(String(String.UnicodeScalarView(emulator.takeAnswers().map { UnicodeScalar($0) })) == reply)
    }

    /// Replies of xterm 379, except for `4:3` and 58, which it does not know.
    @Test(arguments: [
        ("38;5;100", "0;38:5:100"), ("38:5:100", "0;38:5:100"), ("38;5;1", "0;31"), ("48;5;12", "0;104"),
        ("38;2;1;2;3", "0;38:2::1:2:3"), ("48:2:1:2:3", "0;48:2::1:2:3"), ("38:2:5:1:2:3:7:8", "0;38:2::1:2:3"),
        ("21", "0;21"), ("4", "0;4"), ("1;48;2;9;8;7", "0;1;48:2::9:8:7"), ("38:5:300", "0"), ("38:6:1", "0"),
        ("4:3", "0;4:3"), ("58;5;1", "0;58:5:1"), ("4:3;58:2::1:2:3", "0;4:3;58:2::1:2:3"),
    ])
    func `the reported rendition has colons`(_ parameters: String, _ reported: String) throws {
        let answer = try Emulator("20x2", "\u{1B}[\(parameters)m\u{1B}P$qm\u{1B}\\").answered
        #expect(answer == "\u{1B}P1$r\(reported)m\u{1B}\\")
    }

    /// Replies of xterm 379 on X.Org's server; nil for names that it does not know.
    @Test(
        arguments: [
            ("red", "ffff/0000/0000"), ("RED", "ffff/0000/0000"), ("light blue", "adad/d8d8/e6e6"),
            ("LightBlue", "adad/d8d8/e6e6"), ("gray", "bebe/bebe/bebe"), ("grey50", "7f7f/7f7f/7f7f"),
            ("gray7", "1212/1212/1212"), ("gray100", "ffff/ffff/ffff"), ("green", "0000/ffff/0000"),
            ("web green", "0000/8080/0000"), ("DarkOrange3", "cdcd/6666/0000"), ("rebecca purple", "6666/3333/9999"),
            ("dark slate grey", "2f2f/4f4f/4f4f"), ("tan4", "8b8b/5a5a/2b2b"), ("maroon", "b0b0/3030/6060"),
            ("#f00", "f0f0/0000/0000"), ("#ff0000", "ffff/0000/0000"), ("rgb:f/0/0", "ffff/0000/0000"), ("nosuch", nil),
            ("dark orange 3", nil), (" red", nil), ("red ", nil), ("medium  blue", nil), ("grey 7", nil),
            ("gray101", nil),
            ("gray07", nil), ("gray+7", nil), ("transparent", nil), ("default", nil), ("", nil),
        ] as [(String, String?)]
    )
    func `a color can be given by name`(_ name: String, _ color: String?) throws {
        let answer = try Emulator("20x2", "\u{1B}]4;1;#010203\u{7}\u{1B}]4;1;\(name)\u{7}\u{1B}]4;1;?\u{7}").answered
        #expect(answer == "\u{1B}]4;1;rgb:\(color ?? "0101/0202/0303")\u{7}")
    }
}
