import Core
import Terminal
import Testing

@Suite struct LineRendererTests {
    private func text(_ output: String, columns: Int = 20) throws -> String {
        var renderer = LineRenderer(size: try #require(TerminalSize(columns: columns, rows: 24)))
        let lines = renderer.renderAll(Array(output.utf8))
        return String(decoding: lines + renderer.finish(), as: UTF8.self)
    }

    @Test(arguments: [
        ("a\r\nb\r\n", "a\nb\n"),
        ("a\r\n\r\n\r\nb\r\n", "a\n\n\nb\n"),
        ("10%\r20%\r100%\r\n", "100%\n"),
        ("abc\u{8}\u{8}X\r\n", "aXc\n"),
        ("abcdef\r\u{1B}[Kxy\r\n", "xy\n"),
        ("abcdef\u{1B}[3D\u{1B}[1P!\r\n", "abc!f\n"),
        ("ab\u{1B}[D\u{1B}[2@12\r\n", "a12b\n"),
        ("a\tb\t\r\n", "a       b\n"),
        ("\u{1B}[1;31mred\u{1B}[0m \u{1B}]8;;http://a\u{7}link\u{1B}]8;;\u{7}\r\n", "red link\n"),
        ("trailing  \r\n", "trailing  \n"),
        ("0123456789012345678901234\r\n", "0123456789012345678901234\n"),
        ("01234567890123456789\r\nx", "01234567890123456789\nx"),
        ("0123456789012345678漢x\r\n", "0123456789012345678漢x\n"),
        ("漢字\r\ne\u{301}🇩🇪\r\n", "漢字\ne\u{301}🇩🇪\n"),
        ("漢字\r?\r\n", "? 字\n"),
        ("x\u{202E}y\u{2028}z\u{9B}1m\u{0}\r\n", "xyz1m\n"),
        ("a\u{1B}[?1049hpainted\r\nmore\r\n\u{1B}[?1049lb\r\n", "ab\n"),
        ("a\u{1B}[?1049hpainted", "a"),
        ("login: ", "login: "),
        ("one\u{B}two\u{1B}Dthree\u{1B}E", "one\n   twothree\n"),
        ("$ \u{1B}7\u{1B}[?2026h secret\r\n\u{1B}8\u{1B}[Jshown\r\n\u{1B}[?2026l$ ", "$ shown\n$ "),
        ("$ \u{1B}7\r\u{1B}[K\u{1B}[?2026h\r$ \u{1B}7x\r\n\u{1B}8\u{1B}[Jy\r\n\u{1B}[?2026l$ ", "$ y\n$ "),
        ("a\u{1B}[?2026hb\r\nc\r\n\u{1B}[?2026ld", "ab\nc\nd"),
        ("a\u{1B}[?2026hb\r\nc", "ab\nc"),
    ])
    func `renders lines like a terminal`(output: String, expected: String) throws {
        #expect(try text(output) == expected)
    }

    @Test func `returns a line once it has ended`() throws {
        var renderer = LineRenderer(size: .standard)
        #expect(renderer.renderAll(Array("one\r\ntw".utf8)) == Array("one\n".utf8))
        #expect(renderer.renderAll(Array("o".utf8)) == [])
        #expect(renderer.renderAll(Array("\r\n".utf8)) == Array("two\n".utf8))
        #expect(renderer.finish() == [])
    }

    @Test(arguments: 0..<40)
    func `text does not depend on how output is split`(seed: Int) throws {
        var random = RandomOutput(seed: seed)
        let bytes = random.bytes(4000)
        let size = try #require(TerminalSize(columns: [1, 2, 7, 80][seed % 4], rows: 1))
        var whole = LineRenderer(size: size)
        var parts = LineRenderer(size: size)
        let expected = whole.renderAll(bytes) + whole.finish()
        var given: [UInt8] = []
        var start = 0
        while start < bytes.count {
            let end = min(start + 1 + random.next(9), bytes.count)
            given += parts.renderAll(Array(bytes[start..<end]))
            start = end
        }
        #expect(given + parts.finish() == expected)
        let text = try #require(String(validating: expected, as: UTF8.self))
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isUnsafeForTerminals })
    }

    @Test(arguments: [80, 10_000])
    func `a few bytes that stand for long lines do not fill memory`(columns: Int) throws {
        var renderer = LineRenderer(size: try #require(TerminalSize(columns: columns, rows: 1)))
        let output = Array(String(repeating: "x\u{1B}[65535b\u{1B}#8\r\n", count: 5000).utf8)
        var rest = output[...]
        var (parts, largest) = (0, 0)
        while !rest.isEmpty, parts < 3 {
            let text = renderer.render(&rest)
            (parts, largest) = (parts + 1, max(largest, text.count))
        }
        #expect(parts == 3)
        #expect(largest < 8 << 20)
    }
}

extension LineRenderer {
    fileprivate mutating func renderAll(_ bytes: [UInt8]) -> [UInt8] {
        var rest = bytes[...]
        var text: [UInt8] = []
        while !rest.isEmpty { text += render(&rest) }
        return text
    }
}
