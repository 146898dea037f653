import Core
import Testing

@Suite struct PlainTextFilterTests {
    private static let cases: [(String, String)] = [
        ("plain\ttext\n", "plain\ttext\n"),
        ("a\r\nb\r\r\nc\n", "a\nb\nc\n"),
        ("10%\r20%\r100%\r\n", "10%\n20%\n100%\n"),
        ("\r\nx", "\nx"), ("\rx", "x"), ("x\r", "x"),
        ("\u{1b}[1;31mred\u{1b}[0m \u{1b}[38:2::1:2:3mdeep\u{1b}[m", "red deep"),
        ("\u{1b}[2J\u{1b}[?2004h$ ", "$ "),
        ("\u{1b}]0;a title\u{7}x\u{1b}]8;;http://e.example\u{1b}\\link\u{1b}]8;;\u{1b}\\", "xlink"),
        ("\u{1b}Pq#0~\u{7}still\u{1b}\\done\u{1b}_apc\u{1b}\\\u{1b}^pm\u{1b}\\\u{1b}Xsos\u{1b}\\!", "done!"),
        ("\u{1b}(Bx\u{1b}#8y\u{1b}=z\u{1b}7", "xyz"),
        ("a\u{1b}[3\u{18}b\u{1b}]0;t\u{1a}c", "abc"),
        ("a\u{1b}[1\n2mb", "a\nb"),
        ("a\u{1b}[31\u{1b}[1mb\u{1b}\u{1b}[mc", "abc"),
        ("\u{9b}31mred\u{9d}0;\u{9c}! \u{a0}\u{e9}\u{2026}", "31mred0;! \u{a0}\u{e9}\u{2026}"),
        ("\u{1b}]0;a\u{9c}b\u{7}c\u{1b}\u{9b}[31md", "cd"),
        ("be\u{8}ll\u{7}\u{7f}\u{0}", "bell"),
    ]

    @Test(arguments: cases)
    func `keeps only text, regardless of the chunk size`(bytes: String, expected: String) {
        let bytes = Array(bytes.utf8)
        var whole = PlainTextFilter()
        #expect(String(decoding: whole.filter(bytes), as: UTF8.self) == expected)
        var single = PlainTextFilter()
        let text = bytes.flatMap { single.filter([$0]) }
        #expect(String(decoding: text, as: UTF8.self) == expected)
    }

    @Test func `keeps bytes that are not UTF-8, rather than treating them as controls`() {
        var filter = PlainTextFilter()
        #expect(filter.filter([0x61, 0x9b, 0xff, 0xc2, 0x31, 0x62]) == [0x61, 0x9b, 0xff, 0xc2, 0x31, 0x62])
    }

    @Test func `reports the origin of each byte`() {
        var filter = PlainTextFilter()
        var places: [Int] = []
        filter.filter(Array("a\u{1b}[1mb\r\nc".utf8)) { places.append($1) }
        #expect(places == [0, 5, 7, 8])
    }
}
