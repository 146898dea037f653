import Terminal
import Testing

struct SequenceTests {
    @Test(arguments: [
        "\u{1B}_Gi=1;AAAA\u{1B}\\", "\u{1B}^secret\u{1B}\\", "\u{1B}Xsecret\u{1B}\\", "\u{1B}Pq#0;2;0;0;0~-\u{1B}\\",
        "\u{1B}Ptmux;\u{1B}\u{1B}]52;c;aGk=\u{7}\u{1B}\\", "\u{1B}]1337;File=x\u{7}", "\u{1B}]999\u{1B}\\",
        "\u{1B}k title\u{1B}\\", "\u{1B}[?2026h\u{1B}[?2026l", "\u{1B}[>4;2m", "\u{1B}[=1;1u", "\u{9F}\u{9C}",
        "\u{1B}]0;caf\u{E9}\u{7}", "\u{1B}[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17m\u{1B}[m", "\u{1B}%G", "\u{1B} F",
    ])
    func `strings and unknown sequences leave no text`(_ sequence: String) throws {
        #expect(try Emulator("40x2", "a\(sequence)b").lines == ["ab"])
    }

    @Test func `tmux passthrough has no effect`() throws {
        var emulator = try Emulator("40x2", "\u{1B}Ptmux;\u{1B}\u{1B}]52;c;aGk=\u{7}\u{1B}\\")
        #expect(emulator.takeClipboard() == nil)
    }

    @Test func `a canceled string has no effect`() throws {
        #expect(try Emulator("20x2", "\u{1B}]0;no\u{1B}[1mx").title == "")
        #expect(try Emulator("20x2", "\u{1B}]0;no\u{18}x").title == "")
        #expect(try Emulator("20x2", "\u{1B}]0;yes\u{1B}\\x").title == "yes")
        #expect(try Emulator("20x2", "\u{1B}]0;no\u{9C}x").title == "")
    }

    @Test func `the title command of screen and tmux sets a title`() throws {
        #expect(try Emulator("20x2", "\u{1B}kgrüße\u{1B}\\x").title == "grüße")
        #expect(try Emulator("20x2", "\u{1B}kno\u{1B}[1mx").title == "")
    }

    @Test func `titles can contain any text, but no control characters`() throws {
        let emulator = try Emulator("20x2", "\u{1B}]2;grüße 漢\u{1}\u{7}")
        #expect(emulator.title == "grüße 漢")
        #expect(try Emulator("20x2", "\u{1B}]0;a\u{9}b\u{7}").title == "ab")
        #expect(try Emulator("20x2", "\u{1B}]0;\(String(repeating: "x", count: 9000))\u{7}").title.count == 4096)
    }

    @Test func `cells can have links`() throws {
        let emulator = try Emulator("20x2", "a\u{1B}]8;id=1;http://x/\u{1B}\\b\u{1B}[1mc\u{1B}]8;;\u{7}d")
        let cells = emulator.screen().rows[0].cells
        #expect(cells.map(\.link?.target) == [nil, "http://x/", "http://x/", nil])
        #expect(cells[1].link?.id == "1")
        #expect(cells[3].style.attributes == .bold)
        let long = "http://x/" + String(repeating: "y", count: 5000)
        #expect(try Emulator("20x2", "\u{1B}]8;;\(long)\u{7}a").screen().rows[0].cells[0].link == nil)
    }

    @Test func `reports directory, clipboard and prompts`() throws {
        var emulator = try Emulator("20x4", "\u{1B}]7;file://host/tmp\u{7}\u{1B}]52;cp;aGk=\u{7}")
        #expect(emulator.workingDirectory == "file://host/tmp")
        #expect(emulator.takeClipboard()?.content == Array("hi".utf8))
        #expect(emulator.takeClipboard() == nil)
        emulator.feed(
            Array("\u{1B}]133;A\u{7}$ \u{1B}]133;B\u{7}ls\r\n\u{1B}]133;C\u{7}out\r\n\u{1B}]133;D;3\u{7}".utf8)
        )
        #expect(emulator.promptState.phase == .ended)
        #expect(emulator.promptState.status == 3)
        #expect(emulator.screen().rows.map(\.marks) == [[.prompt, .input], .output, .end, []])
    }

    @Test func `any number of parameters is harmless`() throws {
        let many = (0..<10_000).map(String.init).joined(separator: ";")
        #expect(try Emulator("20x2", "a\u{1B}[\(many)mb\u{1B}[\(many)Hc").lines == ["cb"])
        #expect(try Emulator("20x2", "\u{1B}[99999999999999999999Ax").lines == ["x"])
        #expect(try Emulator("20x2", "\u{1B}[99999999999999999999Sx").lines == ["x"])
    }

    @Test func `an endless string is discarded`() throws {
        var emulator = try Emulator("20x2", "\u{1B}]0;")
        let part = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        for _ in 0..<10 { emulator.feed(part) }
        emulator.feed(Array("\u{7}a".utf8))
        #expect(emulator.title == "")
        #expect(emulator.lines == ["a"])
    }

    @Test(arguments: [
        ("\u{1B}[c", "\u{1B}[?62;22c"), ("\u{1B}[>c", "\u{1B}[>41;380;0c"), ("\u{1B}[5n", "\u{1B}[0n"),
        ("ab\r\nc\u{1B}[6n", "\u{1B}[2;2R"), ("\u{1B}[?6n", "\u{1B}[?1;1;1R"), ("\u{1B}[?2026$p", "\u{1B}[?2026;2$y"),
        ("\u{1B}[?25$p", "\u{1B}[?25;1$y"), ("\u{1B}[?9999$p", "\u{1B}[?9999;0$y"), ("\u{1B}[4$p", "\u{1B}[4;2$y"),
        ("\u{1B}[?2027$p", "\u{1B}[?2027;0$y"), ("\u{1B}P$qm\u{1B}\\", "\u{1B}P1$r0m\u{1B}\\"),
        ("\u{1B}P$q;evil\r\u{1B}\\", "\u{1B}P0$r\u{1B}\\"), ("\u{1B}[18t", "\u{1B}[8;2;20t"),
        ("\u{1B}[>1u\u{1B}[?u", "\u{1B}[?1u"), ("\u{1B}]2;evil\u{7}\u{1B}[21t", "\u{1B}]l\u{1B}\\"),
        ("\u{1B}[20t", "\u{1B}]L\u{1B}\\"), ("\u{1B}]52;c;?\u{7}", ""), ("\u{5}", ""),
        ("\u{1B}[1;4:3;38;5;9;48;2;1;2;3m\u{1B}P$qm\u{1B}\\", "\u{1B}P1$r0;1;4:3;91;48:2::1:2:3m\u{1B}\\"),
    ])
    func `answers queries`(_ text: String, _ answer: String) throws {
        #expect(try Emulator("20x2", text).answered == answer)
    }

    @Test func `unread replies do not accumulate without limit`() throws {
        var emulator = try Emulator("20x2", String(repeating: "\u{1B}[c", count: 50_000))
        #expect(emulator.takeAnswers().count <= 64 << 10)
    }

    @Test func `tracks modes`() throws {
        let text = "\u{1B}[?2004;1004;1000;1006;1;2026h\u{1B}[4;20h\u{1B}=\u{1B}[5 q"
        let emulator = try Emulator("20x2", text)
        let set: [Mode] = [
            .bracketedPaste, .focus, .mouseButtons, .mouseSGR, .applicationCursor, .synchronized, .insert, .newLine,
        ]
        #expect(Set(emulator.modes.changed) == Set(set))
        #expect(emulator.keypadIsApplication)
        #expect(emulator.cursorShape == .blinkingBar)
        var other = emulator
        other.feed(Array("\u{1B}c".utf8))
        #expect(other.modes == Modes())
        #expect(other.cursorShape == .standard)
    }

    /// XTWINOPS 22 and 23; the expected titles are the ones that xterm 379 reports; it always saves both titles.
    @Test(arguments: [
        ("22;0", "23;0", ["w", "i"]), ("22;0", "23;1", ["x", "i"]), ("22;0", "23;2", ["w", "x"]),
        ("22;1", "23;0", ["w", "i"]), ("22;1", "23;1", ["x", "i"]), ("22;1", "23;2", ["w", "x"]),
        ("22;2", "23;0", ["w", "i"]), ("22;2", "23;1", ["x", "i"]), ("22;2", "23;2", ["w", "x"]),
        ("22", "23", ["w", "i"]), ("22", "5", ["x", "x"]),
    ])
    func `restores titles from the stack`(_ save: String, _ restore: String, _ titles: [String]) throws {
        let set = "\u{1B}]2;w\u{7}\u{1B}]1;i\u{7}"
        let text = "\(set)\u{1B}[\(save)t\u{1B}]0;x\u{7}\u{1B}[\(restore)t"
        let emulator = try Emulator("20x2", text)
        #expect([emulator.title, emulator.iconName] == titles)
        let both = try Emulator("20x2", "\(text)\u{1B}[23;1t\u{1B}[23;2t")
        #expect([both.title, both.iconName] == (restore == "5" ? ["x", "i"] : titles))
    }

    @Test(arguments: ["61", "62;1", "65;2"])
    func `DECSCL is a soft reset`(_ level: String) throws {
        let text = "\u{1B}[2;2H\u{1B}7\u{1B}[4h\u{1B}[1m\u{1B}[?6h\u{1B}[\(level)\"p"
        let emulator = try Emulator("20x2", text)
        #expect(emulator.modes == Modes())
        #expect(emulator.place == [0, 0])
        #expect(try Emulator("20x2", "\(text)\u{1B}8x").lines == ["x"])
        #expect(try Emulator("20x2", "\u{1B}[4h\u{1B}[60\"p\u{1B}[66\"p").modes[.insert])
    }

    @Test func `a soft reset stops the cursor from blinking`() throws {
        #expect(try !Emulator("20x2", "\u{1B}[?12h\u{1B}[!p").modes[.blinkingCursor])
    }

    @Test func `the alternate screen is separate, and the cursor is restored`() throws {
        var emulator = try Emulator("10x3", "main\u{1B}[?1049h\u{1B}[2;2Halt")
        #expect(emulator.lines == ["", " alt"])
        emulator.feed(Array("\u{1B}[?1049l!".utf8))
        #expect(emulator.lines == ["main!"])
        emulator.feed(Array("\u{1B}[?1049h".utf8))
        #expect(emulator.lines == [])
        #expect(emulator.scrollbackCount == 0)
    }

    @Test func `fills the screen for alignment`() throws {
        #expect(try Emulator("4x2", "\u{1B}#8").lines == ["EEEE", "EEEE"])
    }

    @Test func `a double-width row has half the columns`() throws {
        let emulator = try Emulator("10x4", "\u{1B}#6abcdefg\r\n\u{1B}#3hi\r\n\u{1B}#4hi")
        #expect(emulator.screen().rows.map(\.size) == [.doubleWidth, .single, .doubleTop, .doubleBottom])
        #expect(emulator.lines == ["abcde", "fg", "hi", "hi"])
        #expect(try Emulator("10x2", "\u{1B}#6ab\u{1B}#5cdefghi").lines == ["abcdefghi"])
    }

    @Test func `double width hides the right half of a row and keeps it`() throws {
        let hidden = try Emulator("10x3", "abcd漢ghij\u{1B}#6")
        #expect(hidden.lines == ["abcd"])
        var restored = Emulator(size: hidden.size)
        restored.feed(StateRenderer.render(hidden))
        #expect(restored.lines == ["abcd"])
        restored.feed(Array("\u{1B}#5".utf8))
        #expect(restored.lines == ["abcd漢ghij"])
        let lines = try Emulator("10x1", "abcdefghij\u{1B}#6\n").screen(scrollback: 1).scrollback
        #expect(lines.map(\.text) == ["abcde"])
    }

    @Test func `only selective erasing spares protected characters`() throws {
        #expect(try Emulator("10x2", "a\u{1B}[1\"qb\u{1B}[0\"qc\u{1B}[?2J").lines == [" b"])
        #expect(try Emulator("10x2", "a\u{1B}[1\"qb\u{1B}[0\"qc\u{1B}[2J").lines == [])
    }

    @Test func `fills, erases and copies rectangles`() throws {
        #expect(try Emulator("6x3", "\u{1B}[88;1;2;2;3$x").lines == [" XX", " XX"])
        #expect(try Emulator("6x3", "\u{1B}#8\u{1B}[1;2;3;5$z").lines == ["E    E", "E    E", "E    E"])
        #expect(try Emulator("6x3", "ab\r\ncd\u{1B}[1;1;2;2;1;2;4;1$v").lines == ["ab", "cd ab", "   cd"])
    }

    @Test(arguments: 0x80...0x9F)
    func `drops a C1 control in UTF-8 anywhere`(_ code: Int) throws {
        let control = String(UnicodeScalar(UInt8(code)))
        #expect(try Emulator("20x4", "a\(control)2Jb").lines == ["a2Jb"])
        #expect(try Emulator("20x4", "a\u{1B}[\(control)2;3Hb").lines == ["a", "  b"])
        #expect(try Emulator("20x4", "a\u{1B}]0;t\(control)[2Jb\u{7}c").lines == ["ac"])
        #expect(try Emulator("20x4", "a\u{1B}Pq\(control)[2Jb\u{1B}\\c").lines == ["ac"])
        #expect(try Emulator("20x4", "a\(control)c\(control)5n\(control)6n").answered == "")
    }

    @Test func `extended reverse wrap reaches any row, and plain reverse wrap stays within a line`() throws {
        // As in bs.py and cub.py of esctest, and in xterm since patch 383.
        #expect(try Emulator("8x6", "\u{1B}[?1045h\u{1B}[3;1H\u{8}").place == [7, 1])
        #expect(try Emulator("8x6", "\u{1B}[?1045h\u{1B}[2;5r\u{1B}[2;1H\u{8}").place == [7, 4])
        #expect(try Emulator("8x6", "\u{1B}[?1045h\u{1B}[?7l\u{1B}[3;1H\u{8}").place == [0, 2])
        #expect(try Emulator("8x6", "\u{1B}[?1045;69h\u{1B}[3;5s\u{1B}[3;3H\u{8}").place == [4, 1])
        #expect(try Emulator("8x6", "\u{1B}[?45habc\r\nabc\r\n\u{8}\u{8}").place == [0, 2])
        #expect(try Emulator("8x6", "\u{1B}[?45hab\r\n0123456789\u{1B}[50D").place == [0, 1])
        #expect(try Emulator("8x6", "\u{1B}[?45;1045h\u{1B}[!p\u{1B}[3;1H\u{8}").place == [0, 2])
        #expect(try Emulator("8x6", "\u{1B}[?1045h\u{1B}[65535D").place.count == 2)
    }

    @Test func `repeating a character can scroll the screen`() throws {
        let emulator = try Emulator("10x3", "a\u{1B}[65535b")
        #expect(emulator.place == [6, 2])
        #expect(emulator.scrollbackCount > 6000)
    }
}
