import Core
import Terminal
import Testing

struct TracedScreenTests {
    /// The texts of the collected lines.
    private func lines(_ screen: inout TracedScreen) -> [String] {
        var lines: [String] = []
        screen.takeLines { lines.append(String(decoding: $0.text, as: UTF8.self)) }
        return lines
    }

    @Test func `each character of a line has its offset in the output`() throws {
        var screen = TracedScreen(size: try #require(TerminalSize(columns: 20, rows: 3)))
        screen.feed(Array("ab\u{1B}[31mcé d".utf8)[...], from: 100)
        screen.collectChangedLines()
        let seen = screen
        var places: [UInt64?] = []
        screen.takeLines { line in places = line.origins.map { seen.offset(of: $0) } }
        #expect(places == [100, 101, 107, 108, 108, 110, 111])
    }

    @Test func `does not report an endless line in full for each word`() throws {
        var screen = TracedScreen(size: try #require(TerminalSize(columns: 80, rows: 40)))
        var given = 0
        for number in 0..<500 {
            screen.feed(Array("word \(number) and ".utf8)[...], from: UInt64(number * 20))
            screen.collectChangedLines()
            for line in lines(&screen) {
                given = max(given, line.utf8.count)
                #expect(line.contains("word \(number) and") || line.hasSuffix("and "))
            }
        }
        #expect(given > 640 && given <= 17 * 80 + 1024)
    }

    @Test func `reports an endless line in bounded pieces while it is written`() throws {
        var screen = TracedScreen(size: try #require(TerminalSize(columns: 80, rows: 40)))
        var (written, reported) = (0, 0)
        for number in 0..<5000 {
            let word = Array("word \(number) ".utf8)
            screen.feed(word[...], from: UInt64(written))
            screen.collectChangedLines()
            written += word.count
            reported += lines(&screen).reduce(0) { $0 + $1.utf8.count }
        }
        #expect(reported >= written - 80 * 8 && reported <= written * 4)
        screen.collectChangedLines(isLast: true)
        #expect(try #require(lines(&screen).first).contains("word 4999"))
    }

    @Test func `reports a change in a long line with a limited part of that line`() throws {
        var screen = TracedScreen(size: try #require(TerminalSize(columns: 80, rows: 5)))
        screen.feed(Array(repeatElement(0x78, count: 40_000))[...], from: 0)
        screen.collectChangedLines(isLast: true)
        _ = lines(&screen)
        screen.feed(Array("\u{1B}[1;1HX\u{1B}[3;1H".utf8)[...], from: 40_000)
        let line = try #require(lines(&screen).first)
        #expect(line.contains("X") && line.utf8.count <= 1024 + 5 * 80)
    }

    @Test func `reports a change together with a few rows around it`() throws {
        var screen = TracedScreen(size: try #require(TerminalSize(columns: 10, rows: 40)))
        let text = (0..<30).map { "row\($0)".padding(to: 10) }.joined()
        screen.feed(Array(text.utf8)[...], from: 0)
        screen.collectChangedLines()
        _ = lines(&screen)
        screen.feed(Array("\u{1B}[16;1HROW15".utf8)[...], from: 1000)
        screen.collectChangedLines()
        let line = try #require(lines(&screen).first)
        #expect(line.hasPrefix("row7 ") && line.contains("ROW15") && line.hasSuffix("row23     "))
    }

    static let meetings: [(upper: String, lower: String, joined: [String])] = [
        ("abcdef", "ghijkl", []),
        ("one abcdefghijklmnopqrstuvwxyz0123456789", "def", ["one abcdefghijklmnopqrstuvwxyz0123456789def"]),
        ("one abcdefgh", "ijkl two", []),
    ]

    @Test(arguments: meetings)
    func `reports adjacent rows together if the upper one is full`(
        _ upper: String,
        _ lower: String,
        _ joined: [String]
    ) throws {
        var screen = TracedScreen(size: try #require(TerminalSize(columns: 40, rows: 5)))
        screen.feed(Array("\u{1B}[2;1H\(upper)\u{1B}[3;1H\(lower)".utf8)[...], from: 0)
        screen.collectChangedLines()
        var joins: Set<String> = []
        screen.takeLines { if $0.joins?.isEmpty == false { joins.insert(String(decoding: $0.text, as: UTF8.self)) } }
        #expect(joins == Set(joined))
    }

    /// SL, SR, DECIC, DECDC, ICH, DCH, ECH, IL, DL, SU, SD, and a resize of the screen's contents (DECALN).
    @Test(arguments: [
        "[ @", "[ A", "['}", "['~", "[3'}", "[@", "[P", "[X", "[L", "[M", "[S", "[T", "[2J", "[2K", "#8", "c",
    ])
    func `reports joined rows before a sequence changes them`(_ sequence: String) throws {
        var screen = TracedScreen(size: try #require(TerminalSize(columns: 40, rows: 5)))
        let (upper, lower) = ("one abcdefghijklmnopqrstuvwxyz0123456789", "def")
        screen.feed(Array("\u{1B}[2;1H\(upper)\u{1B}[3;1H\(lower)\u{1B}[2;5H\u{1B}\(sequence)".utf8)[...], from: 0)
        screen.collectChangedLines()
        var joins: Set<String> = []
        screen.takeLines { if $0.joins?.isEmpty == false { joins.insert(String(decoding: $0.text, as: UTF8.self)) } }
        #expect(joins.contains(upper + lower))
    }

    @Test func `reports joined rows once, after all of them have been painted`() throws {
        var screen = TracedScreen(size: try #require(TerminalSize(columns: 20, rows: 10)))
        let row = String(repeating: "abcd", count: 5)
        let text = (1...10).map { "\u{1B}[\($0);1H\(row)" }.joined()
        for number in 0..<2 {
            screen.feed(Array(text.utf8)[...], from: UInt64(number * text.utf8.count))
            screen.collectChangedLines()
            var joins: [Int] = []
            screen.takeLines { if let places = $0.joins, !places.isEmpty { joins.append(places.count) } }
            #expect(joins == [9])
        }
    }
}

extension String {
    fileprivate func padding(to count: Int) -> String { self + String(repeating: " ", count: count - self.count) }
}
