import Terminal
import Testing

struct CharacterTests {
    @Test(arguments: [
        ("a", 1), ("漢", 2), ("가", 2), ("あ", 2), ("Ａ", 2), ("ｱ", 1), ("é", 1), ("e\u{301}", 1), ("\u{1FAE0}", 2),
        ("\u{1FAE9}", 2), ("👨\u{200D}👩\u{200D}👧\u{200D}👦", 2), ("❤", 1), ("❤\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2),
        ("🇩🇪", 2), ("🇩🇪🇫🇷", 4), ("👍🏽", 2), ("👩🏽\u{200D}💻", 2), ("🏳\u{FE0F}\u{200D}🌈", 2), ("\u{AD}", 1),
        ("ก็", 1), ("กำ", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("\u{2500}", 1), ("\u{E0B0}", 1), ("\u{20000}", 2),
        ("a\u{200B}", 1), ("ﾊﾟ", 2), ("😀😀", 4), ("\u{1F3FD}", 2), ("a\u{1F3FD}", 3), ("\u{10FFFD}", 1),
        // Marks have no width of their own, even if their East Asian Width is wide.
        ("か\u{3099}", 2), ("a\u{309A}", 1), ("漢\u{302A}\u{302D}", 2), ("한\u{302E}\u{302F}", 2), ("a\u{16FE4}", 1),
        ("漢\u{16FF0}\u{16FF1}", 2),
        // New in Unicode 16 and 17.
        ("\u{1FAE9}", 2), ("\u{1FAC6}", 2), ("\u{2630}\u{2637}", 4), ("\u{1FAEA}", 2), ("a\u{0897}", 1),
        // Grapheme clusters of Indic scripts.
        ("क्षि", 2), ("क्ष", 2), ("स्त्री", 2), ("क्षत्रिय", 5), ("कि", 2), ("क्\u{200D}ष", 2), ("நி", 2), ("అక్షరం", 5),
        ("\u{0600}1", 2), ("कक", 2), ("क्a", 2),
    ])
    func `a character has the expected width`(_ text: String, _ cells: Int) throws {
        let emulator = try Emulator("20x2", text)
        #expect(emulator.place == [cells, 0])
        #expect(emulator.lines == [text])
    }

    @Test(arguments: [
        ("क्षि", 3), ("🇩🇪", 2), ("👩\u{200D}💻", 4), ("👍🏽", 4), ("❤\u{FE0F}", 1), ("कि", 2), ("e\u{301}", 1), ("か\u{3099}", 2),
        ("\u{0600}1", 2),
    ])
    func `without mode 2027, each code point with a width has its own cells`(_ text: String, _ cells: Int) throws {
        let emulator = try Emulator("20x2", "\u{1B}[?2027l\(text)")
        #expect(emulator.place == [cells, 0])
        var copy = Emulator(size: emulator.size)
        copy.feed(StateRenderer.render(emulator))
        #expect(copy.screen().differences(from: emulator.screen()) == [])
        emulator.screen().rows[0].cells.forEach { #expect($0.width <= 2) }
    }

    @Test(arguments: ["क्ष", "क\u{93F}", "🇩🇪", "\u{0600}1"])
    func `a cluster that grows moves to the next row, or is split`(_ cluster: String) throws {
        #expect(try Emulator("5x3", "abcd\(cluster)").lines == ["abcd", cluster])
        #expect(try Emulator("1x3", "\(cluster)").place[0] == 0)
        let emulator = try Emulator("6x2", "ab\(cluster)\u{1B}[4Gx")
        #expect(emulator.lines == ["ab x"])
    }

    @Test func `keeps all marks of a character, up to a limit`() throws {
        let marks = String(repeating: "\u{301}\u{302}\u{303}", count: 4)
        #expect(try Emulator("20x2", "a\(marks)b").lines == ["a\(marks)b"])
        let flood = try Emulator("20x2", "a" + String(repeating: "\u{301}", count: 100_000) + "b")
        #expect(flood.lines[0].unicodeScalars.count == 25)
        #expect(flood.place == [2, 0])
    }

    @Test func `a mark joins the character to the left of the cursor`() throws {
        #expect(try Emulator("20x2", "abc\u{1B}[2D\u{301}").lines == ["a\u{301}bc"])
        #expect(try Emulator("4x2", "abcd\u{301}").lines == ["abcd\u{301}"])
        #expect(try Emulator("4x2", "漢\u{1B}[1;3H\u{301}").lines == ["漢\u{301}"])
        #expect(try Emulator("4x2", "\u{301}a").lines == ["a"])
    }

    @Test(arguments: [
        ("\u{1B}[1;1Hx", "x 字"), ("\u{1B}[1;2Hx", " x字"), ("\u{1B}[1;3Hx", "漢x"), ("\u{1B}[1;4Hx", "漢 x"),
        ("\u{1B}[1;2H語", " 語"), ("\u{1B}[1;2H\u{1B}[X", "  字"), ("\u{1B}[1;2H\u{1B}[P", " 字"),
        ("\u{1B}[1;2H\u{1B}[@", "   字"), ("\u{1B}[1;3H\u{1B}[1K", ""), ("\u{1B}[1;4H\u{1B}[K", "漢"),
    ])
    func `no half of a wide character remains`(_ change: String, _ line: String) throws {
        #expect(try Emulator("8x2", "漢字" + change).lines.first ?? "" == line)
    }

    @Test func `a wide character that does not fit moves to the next row`() throws {
        let emulator = try Emulator("5x3", "abcd漢e")
        #expect(emulator.lines == ["abcd", "漢e"])
        #expect(emulator.screen().rows[0].isWrapped)
        #expect(TextRenderer.render(emulator.screen(), joined: true) == "abcd漢e\n")
    }

    @Test func `a flag is never split between two rows`() throws {
        #expect(try Emulator("5x3", "abcd🇩🇪").lines == ["abcd", "🇩🇪"])
        #expect(try Emulator("5x3", "abcd❤\u{FE0F}").lines == ["abcd", "❤\u{FE0F}"])
    }

    @Test func `a wide character on a screen with one column is harmless`() throws {
        let emulator = try Emulator("1x3", "漢字")
        #expect(emulator.lines == ["漢", "字"])
    }

    @Test(
        arguments: [
            ([0xC0, 0xAF], 2), ([0xE0, 0x80, 0xAF], 3), ([0xF4, 0x90, 0x80, 0x80], 4), ([0xED, 0xA0, 0x80], 3),
            ([0xE4], 1), ([0xE6, 0xBC], 1), ([0xF0, 0x9F, 0x98], 1), ([0xC3, 0x28], 1), ([0x80], 1), ([0xFF], 1),
            ([0xE1, 0xA0, 0xC3], 2),
        ] as [([UInt8], Int)]
    )
    func `replaces ill-formed text as recommended by Unicode`(_ bytes: [UInt8], _ count: Int) throws {
        var emulator = try Emulator("20x2", "")
        emulator.feed(bytes + [0x0D, 0x0A])
        let first = emulator.lines[0]
        #expect(first.unicodeScalars.filter { $0 == "\u{FFFD}" }.count == count)
        #expect(!first.contains("/"))
    }

    @Test func `shows line drawing characters`() throws {
        #expect(try Emulator("20x2", "\u{1B}(0lqk\u{1B}(Bq").lines == ["┌─┐q"])
        #expect(try Emulator("20x2", "\u{1B})0\u{0E}x\u{0F}x").lines == ["│x"])
        #expect(try Emulator("20x2", "\u{1B}*0\u{1B}Nxx").lines == ["│x"])
        #expect(try Emulator("20x2", "\u{1B}(A#").lines == ["£"])
    }

    @Test func `repeats the last printed character`() throws {
        #expect(try Emulator("20x2", "ab\u{1B}[3b").lines == ["abbbb"])
        #expect(try Emulator("20x2", "漢\u{1B}[2b").lines == ["漢漢漢"])
        #expect(try Emulator("20x2", "a\u{1B}[m\u{1B}[3b").lines == ["a"])
        #expect(try Emulator("4x2", "a\u{1B}[65535b").lines == ["aaaa", "aaaa"])
        #expect(try Emulator("20x2", "漢\u{1B}[2b\u{1B}[2b").lines == ["漢漢漢"])
    }
}
