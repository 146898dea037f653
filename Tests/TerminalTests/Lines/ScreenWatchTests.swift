import Core
import Terminal
import Testing

@Suite struct ScreenWatchTests {
    private func watch(_ size: String = "10x3") throws -> ScreenWatch {
        ScreenWatch(size: try TerminalSize(parsing: size))
    }

    private func lines(_ screen: inout ScreenWatch) -> [String] {
        var lines: [String] = []
        screen.takeLines { line in
            lines.append((line.isWhole ? "" : "…") + String(decoding: line.text, as: UTF8.self))
            return true
        }
        return lines
    }

    @Test(arguments: [
        ("one\r\ntwo", ["one"]),
        ("\r\n\n", ["", ""]),
        ("10%\r20%\r", ["10%", "20%"]),
        ("ab\u{1B}[3;1Hcd\u{1B}[1;1H", ["ab", "cd"]),
        ("ab\u{1B}[Kcd\u{1B}[2K", ["abcd"]),
        ("ab\u{1B}[5;5Hcd\u{1B}[2J", ["ab", "    cd"]),
        ("\u{1B}[?1049hfull\u{1B}[?1049l", ["full"]),
        ("0123456789abc\r\n", ["0123456789abc"]),
        ("0123456789abcdefghijklmnopqrstuvwxyz0123456789\n", ["0123456789abcdefghijklmnopqrstuvwxyz0123456789"]),
        ("a\u{1B}[2Bb\u{1B}[9;9H\u{1B}[S\u{1B}[S\u{1B}[S", ["a", " b"]),
        ("\u{1B}[?1049h\u{1B}[3;1Hlow\u{1B}[T", ["low"]),
    ])
    func `reports a line before it changes or disappears`(output: String, expected: [String]) throws {
        var screen = try watch()
        screen.feed(Array(output.utf8)[...])
        #expect(lines(&screen) == expected)
        #expect(lines(&screen) == [])
    }

    @Test func `reports changed lines once, on request`() throws {
        var screen = try watch()
        screen.feed(Array("one\r\ntwo".utf8)[...])
        screen.collectChangedLines()
        #expect(lines(&screen) == ["one", "two"])
        screen.collectChangedLines()
        #expect(lines(&screen) == [])
        screen.feed(Array("\u{1B}[1;4H!".utf8)[...])
        screen.collectChangedLines()
        #expect(lines(&screen) == ["one!"])
    }

    @Test func `a line that has partly scrolled off is reported whole when it continues`() throws {
        var screen = try watch("4x2")
        screen.feed(Array("aaaabbbbcccc".utf8)[...])
        screen.collectChangedLines()
        #expect(lines(&screen) == ["aaaabbbbcccc"])
        screen.feed(Array("d\r\n".utf8)[...])
        #expect(lines(&screen) == ["aaaabbbbccccd"])
        screen.feed(Array("e\r\nf\r\n".utf8)[...])
        #expect(lines(&screen) == ["e", "f"])
    }

    @Test func `reports the end of a line that is too long`() throws {
        var screen = try watch()
        for _ in 0..<20 { screen.feed(Array(repeating: 0x78, count: 10_000)[...]) }
        screen.feed(Array("end\r\n".utf8)[...])
        let last = try #require(lines(&screen).last)
        #expect(last.hasPrefix("…x"))
        #expect(last.hasSuffix("xend"))
        #expect(last.utf8.count <= 64 << 10 + 3)
    }

    @Test func `lines on the screen have row numbers`() throws {
        var screen = try watch("4x4")
        screen.feed(Array("abcdef\r\nx".utf8)[...])
        var shown: [String] = []
        screen.forEachLineShown { line in
            shown.append("\(line.row ?? -1) \(String(decoding: line.text, as: UTF8.self))")
            return true
        }
        #expect(shown == ["0 abcdef", "2 x"])
    }

    @Test(arguments: 0..<40)
    func `lines do not depend on how output is split`(seed: Int) throws {
        var random = RandomOutput(seed: seed)
        let bytes = random.bytes(3000)
        var whole = try watch(["80x24", "7x3", "2x2", "1x1"][seed % 4])
        var parts = whole
        whole.feed(bytes[...])
        var given: [String] = []
        var start = 0
        while start < bytes.count {
            let end = min(start + 1 + random.next(9), bytes.count)
            parts.feed(bytes[start..<end])
            given += lines(&parts)
            start = end
        }
        #expect(given == lines(&whole))
    }

    @Test func `reports only the last rows of an endless line with each word`() throws {
        var screen = ScreenWatch(size: try #require(TerminalSize(columns: 80, rows: 40)), reportsOnce: true)
        for number in 0..<400 {
            screen.feed(Array("word \(number) and ".utf8)[...])
            screen.seeScreen()
            screen.forEachLineChanged { line, isEnd in
                #expect(line.text.count <= 320)
                #expect(isEnd == (number > 100) || (20...100).contains(number))
            }
        }
        screen.collectChangedLines()
        var lines: [Int] = []
        screen.takeLines {
            lines.append($0.text.count)
            return true
        }
        #expect(lines.count == 1 && lines[0] > 4_500)
    }
}
