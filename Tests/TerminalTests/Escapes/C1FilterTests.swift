import Core
import Terminal
import Testing

struct C1FilterTests {
    @Test(
        arguments: [
            ([0x61, 0xC2, 0x9B, 0x35, 0x6E], "a5n"), ([0xC2, 0xA0, 0xC3, 0x9B, 0xC2, 0x85], "\u{A0}\u{DB}"),
            (Array("\u{1B}]0;t\u{9C}\u{9B}2J\u{7}".utf8), "\u{1B}]0;t2J\u{7}"), (Array("plain é".utf8), "plain é"),
        ] as [([UInt8], String)]
    )
    func `removes C1 controls, however the bytes are split`(_ bytes: [UInt8], _ expected: String) {
        var whole = C1Filter()
        #expect(String(decoding: whole.filter(bytes), as: UTF8.self) == expected)
        var single = C1Filter()
        let pieces = bytes.flatMap { single.filter([$0]) }
        #expect(String(decoding: pieces, as: UTF8.self) == expected)
    }

    @Test func `keeps everything that is not a C1 control`() {
        var filter = C1Filter()
        let bytes: [UInt8] = [0xC2, 0xC2, 0x1B, 0x5B, 0x9B, 0xE6, 0x82, 0xC2, 0xBF]
        #expect(filter.filter(bytes) == bytes)
    }
}
