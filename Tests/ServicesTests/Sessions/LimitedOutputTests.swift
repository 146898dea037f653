import Services
import TestSupport
import Testing

@Suite struct LimitedOutputTests {
    /// The beginning, and what `finish` returns, for output in pieces of this size.
    private static func parts(
        of text: String,
        limit: Int,
        pieces: Int
    ) -> (head: String, gap: LimitedOutput.Gap?, tail: String) {
        var (limited, head, rest, offset) = (LimitedOutput(limit: limit), [UInt8](), Array(text.utf8)[...], UInt64(100))
        while !rest.isEmpty {
            let piece = Array(rest.prefix(pieces))
            head += limited.add(piece, at: offset)
            offset += UInt64(piece.count)
            rest = rest.dropFirst(pieces)
        }
        let (gap, tail) = limited.finish()
        return (String(decoding: head, as: UTF8.self), gap, String(decoding: tail, as: UTF8.self))
    }

    @Test(
        arguments: [
            ("a\nb\nc\n", 6, "", 0, "", false),
            ("aa\nbb\ncc\ndd\n", 8, "aa\n", 6, "dd\n", false),
            ("aaa\nb\nccc\nd\neee\n", 8, "aaa\n", 8, "eee\n", false),
            // The first or the last line is too long for its half.
            ("aaaaaaaaaa\nb\nc\n", 6, "aaa", 10, "c\n", true), ("a\nb\ncccccccccc\n", 6, "a\n", 10, "cc\n", true),
            ("ééééé\nb\nc\n", 6, "é", 11, "c\n", true), ("a\nb\néééééé\n", 7, "a\nb\n", 10, "é\n", true),
            ("\u{1B}[31maaaaaaaa\n", 6, "", 11, "aa\n", true), ("aaaaaaa\u{1B}[31mb\n", 10, "aaaaa", 7, "b\n", true),
            ("aaaaaaaaaa", 0, "", 10, "", false),
        ] as [(text: String, limit: Int, head: String, gap: Int, tail: String, cutsLine: Bool)]
    )
    func `output is cut at the ends of lines, and long lines between characters`(
        _ test: (text: String, limit: Int, head: String, gap: Int, tail: String, cutsLine: Bool)
    ) {
        for pieces in [1, 3, 1000] {
            let (head, gap, tail) = Self.parts(of: test.text, limit: test.limit, pieces: pieces)
            guard test.gap > 0 else {
                #expect((head + tail, gap) == (test.text, nil))
                continue
            }
            #expect((head, tail) == (test.head, test.tail), "\(test) in pieces of \(pieces)")
            #expect(gap?.from == UInt64(100 + head.utf8.count))
            #expect(gap.map { $0.to - $0.from } == UInt64(test.gap))
            #expect(gap?.cutsLine == test.cutsLine, "\(test) in pieces of \(pieces)")
        }
    }

    @Test func `output that is not available belongs to the gap`() {
        var limited = LimitedOutput(limit: 100)
        #expect(limited.add(Array("a\nb".utf8), at: 0) == Array("a\n".utf8))
        limited.skip(from: 3, to: 50)
        #expect(limited.add(Array("c\n".utf8), at: 50) == [])
        let (gap, rest) = limited.finish()
        #expect((gap?.from, gap?.to) == (2, 50))
        #expect(rest == Array("c\n".utf8))
    }

    @Test(arguments: 0..<20)
    func `random output is never longer than the limit, and nothing else is missing`(seed: Int) {
        var random = SeededGenerator(spreading: seed)
        let words = ["a", "é\n", "\n", "\r\n", "\u{1B}[1m", "word ", "日本", "\u{1B}]0;t\u{7}"]
        for _ in 0..<100 {
            let count = Int.random(in: 0..<40, using: &random)
            let text = (0..<count).map { _ in words.randomElement(using: &random) ?? "" }.joined()
            let limit = Int.random(in: 0..<60, using: &random)
            let (head, gap, tail) = Self.parts(of: text, limit: limit, pieces: Int.random(in: 1..<9, using: &random))
            #expect(text.utf8.starts(with: head.utf8) && text.utf8.reversed().starts(with: tail.utf8.reversed()))
            let missing = gap.map { Int($0.to - $0.from) } ?? 0
            #expect(head.utf8.count + tail.utf8.count + missing == text.utf8.count)
            #expect(gap == nil ? text.utf8.count <= limit : head.utf8.count + tail.utf8.count <= limit)
        }
    }
}
