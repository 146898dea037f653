import Core
import Terminal
import Testing

struct ReflowTests {
    private static let sizes = ["40x10", "80x10", "1x1", "7x3", "60x24", "200x50", "2x2"]

    private static func resize(_ emulator: inout Emulator, _ size: String) throws {
        emulator.resize(to: try TerminalSize(parsing: size))
    }

    private static func joined(_ emulator: Emulator) -> String {
        TextRenderer.render(emulator.screen(scrollback: 10_000), joined: true)
    }

    @Test func `a line of 60 characters is restored after resizing to 40 columns`() throws {
        let line = (0..<60).map { String($0 % 10) }.joined()
        var emulator = try Emulator("60x10", "before\r\n\(line)\r\nafter")
        try Self.resize(&emulator, "40x10")
        #expect(emulator.lines == ["before", String(line.prefix(40)), String(line.suffix(20)), "after"])
        #expect(emulator.place == [5, 3])
        try Self.resize(&emulator, "80x10")
        #expect(emulator.lines == ["before", line, "after"])
        #expect(emulator.place == [5, 2])
    }

    @Test(arguments: sizes)
    func `text is restored after resizing back`(_ size: String) throws {
        let text = (0..<12).map {
            "line \($0) 漢字 e\u{301} 👨\u{200D}👩\u{200D}👧 " + String(repeating: "x", count: $0 * 9 + 1)
        }
        var emulator = try Emulator("80x24", text.joined(separator: "\r\n"))
        let before = emulator.lines
        let place = emulator.place
        try Self.resize(&emulator, size)
        #expect(Self.joined(emulator) == text.joined(separator: "\n") + "\n")
        try Self.resize(&emulator, "80x24")
        #expect(emulator.lines == before)
        #expect(emulator.place == place)
    }

    @Test func `rows that no longer fit move to the scrollback, and are restored`() throws {
        var emulator = try Emulator("20x6", "1\r\n2\r\n3\r\n4\r\n5\r\n6")
        try Self.resize(&emulator, "20x3")
        #expect(emulator.lines == ["4", "5", "6"])
        #expect(emulator.scrollbackCount == 3)
        try Self.resize(&emulator, "20x5")
        #expect(emulator.lines == ["2", "3", "4", "5", "6"])
        #expect(emulator.place == [1, 4])
    }

    @Test func `a cleared screen stays clear when it is enlarged`() throws {
        var emulator = try Emulator("20x4", "1\r\n2\r\n3\r\n4\r\n5\r\n\u{1B}[H\u{1B}[2J$ ")
        try Self.resize(&emulator, "30x8")
        #expect(emulator.lines == ["$"])
    }

    @Test func `rewraps the main screen while the alternate screen is shown`() throws {
        var emulator = try Emulator("20x4", "abcdefghijkl\u{1B}[?1049h\u{1B}[Hfull screen")
        try Self.resize(&emulator, "5x4")
        #expect(emulator.lines == ["full"])
        emulator.feed(Array("\u{1B}[?1049l".utf8))
        #expect(emulator.lines == ["abcde", "fghij", "kl"])
        #expect(emulator.place == [2, 2])
    }

    @Test func `limits the scrollback, and keeps the newest rows`() throws {
        var emulator = Emulator(size: try TerminalSize(parsing: "40x4"), scrollbackBytes: 20_000)
        for line in 0..<5000 { emulator.feed(Array("line \(line)\r\n".utf8)) }
        #expect(emulator.scrollbackBytes <= 26_000)
        let rows = emulator.screen(scrollback: 100).scrollback.map(\.text)
        #expect(rows.last == "line 4996")
        #expect(rows.count == 100)
    }

    @Test func `the scrollback preserves styles and links`() throws {
        let text = "\u{1B}[1;38;2;1;2;3;4:3mbold\u{1B}[m \u{1B}]8;id=q;http://x/\u{7}link\u{1B}]8;;\u{7} 漢e\u{301}\r\n"
        let emulator = try Emulator("40x2", text + "\r\n\r\n")
        let row = emulator.screen(scrollback: 2).scrollback[0]
        let shown = try Emulator("40x2", text).screen().rows[0]
        #expect(row == shown)
    }

    @Test func `wraps scrollback rows at the width of the screen`() throws {
        var emulator = try Emulator("20x2", "abcdefghij\r\n1\r\n2\r\n3")
        try Self.resize(&emulator, "4x2")
        #expect(emulator.screen(scrollback: 9).scrollback.map(\.text) == ["abcd", "efgh", "ij", "1"])
    }
}
