import Core
import Terminal
import TestSupport
import Testing

struct OutputFilterTests {
    private static func filtered(_ chunks: [ArraySlice<UInt8>], _ rules: [OutputFilter.Rule]) -> [UInt8] {
        var filter = OutputFilter(rules)
        return chunks.flatMap { filter.filter(Array($0)) } + filter.finish()
    }

    private static func check(_ text: String, _ rest: String, _ rules: [OutputFilter.Rule]) {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            let shown = filtered([bytes[..<cut], bytes[cut...]], rules)
            #expect(String(decoding: shown, as: UTF8.self) == rest, "cut at \(cut)")
        }
        #expect(String(decoding: filtered(bytes.indices.map { bytes[$0...$0] }, rules), as: UTF8.self) == rest)
    }

    @Test(arguments: [
        ("plain\r\n\t\u{7}", "plain\r\n\t\u{7}"),
        ("\u{1B}[1;31mred\u{1B}[0m \u{1B}[2J\u{1B}(B\u{1B}=\u{1B}#8\u{1B}Mx", "red x"),
        (
            "\u{1B}]0;title\u{7}a\u{1B}]8;;http://x\u{1B}\\b\u{1B}Pq#0;1\u{1B}\\c\u{1B}_x\u{1B}\\d\u{1B}kt\u{1B}\\e",
            "abcde"
        ),
        // Controls inside a control sequence are executed; inside a string, they are text.
        ("\u{1B}[3\n1mx", "\nx"), ("\u{1B}]0;a\nb\u{7}x", "x"),
        // A sequence can be canceled, by CAN or by another one, and may not be complete at the end.
        ("\u{1B}[3\u{18}1mx", "1mx"), ("\u{1B}]0;t\u{1B}[1mx", "x"), ("a\u{1B}[31", "a"), ("a\u{1B}", "a"),
        ("a\u{1B}]0;t", "a"), ("\u{1B}Ptmux;\u{1B}\u{1B}[31m\u{1B}\\x", "x"), ("\u{1B}Pq\u{1B}\u{1B}[31m x", " x"),
        ("äöü€😀\u{9B}31m", "äöü€😀\u{9B}31m"),
    ])
    func `removes all escape sequences`(text: String, rest: String) {
        Self.check(text, rest, [.all])
        Self.check(text, rest, OutputFilter.Rule.allCases)
    }

    @Test(arguments: [
        ("\u{1B}[1;41;33m", "\u{1B}[1;33m"), ("\u{1B}[41m", ""), ("\u{1B}[100;107m", ""), ("\u{1B}[49m", "\u{1B}[49m"),
        // An omitted parameter is 0, which resets the colors.
        ("\u{1B}[m", "\u{1B}[m"), ("\u{1B}[;41m", "\u{1B}[m"), ("\u{1B}[41;m", "\u{1B}[m"), ("\u{1B}[041m", ""),
        ("\u{1B}[48;5;44;1m", "\u{1B}[1m"), ("\u{1B}[48;2;1;2;3;4m", "\u{1B}[4m"), ("\u{1B}[48;5m", ""),
        ("\u{1B}[48:5:44;1m", "\u{1B}[1m"), ("\u{1B}[48:2::1:2:3m", ""), ("\u{1B}[48m", ""),
        // The components of other colors are not backgrounds.
        ("\u{1B}[38;5;44m", "\u{1B}[38;5;44m"), ("\u{1B}[38;2;41;42;43;41m", "\u{1B}[38;2;41;42;43m"),
        ("\u{1B}[58;5;100;48;5;38;7m", "\u{1B}[58;5;100;7m"), ("\u{1B}[38:5:44;44m", "\u{1B}[38:5:44m"),
        ("\u{1B}[4:3;41m", "\u{1B}[4:3m"), ("\u{1B}[38;5;48;5;1m", "\u{1B}[38;5;48;5;1m"),
        // Other sequences that end with 'm', and incomplete ones.
        ("\u{1B}[>41m", "\u{1B}[>41m"), ("\u{1B}[41 m", "\u{1B}[41 m"), ("\u{1B}]0;\u{1B}[41mx", "\u{1B}]0;\u{18}x"),
        ("\u{1B}[4\n1;1mx", "\n\u{1B}[1mx"), ("\u{1B}[3\n1mx", "\u{1B}[3\n1mx"),
        ("\u{1B}[41\u{18}m", "\u{1B}[41\u{18}m"),
        ("\u{1B}[3\u{1B}[41m1m", "\u{1B}[3\u{18}1m"), ("\u{1B}[41", "\u{1B}[41"), ("\u{1B}[4é1mx", "\u{1B}[4é1mx"),
        ("\u{1B}]0;[41m\u{7}\u{1B}Pq41m\u{1B}\\", "\u{1B}]0;[41m\u{7}\u{1B}Pq41m\u{1B}\\"),
        ("\u{1B}Ptmux;\u{1B}\u{1B}[41m\u{1B}\\x", "\u{1B}Ptmux;\u{1B}\u{1B}[41m\u{1B}\\x"),
    ])
    func `removes background colors from SGR`(text: String, rest: String) {
        Self.check(text, rest, [.backgrounds])
    }

    @Test(arguments: [
        ("\u{1B}#3a\u{1B}#4b\u{1B}#5c\u{1B}#6d\u{1B}#8e", "abcde"), ("\u{1B}#7\u{1B}#2", "\u{1B}#7\u{1B}#2"),
        ("\u{1B}7\u{1B}8\u{1B}(3", "\u{1B}7\u{1B}8\u{1B}(3"), ("\u{1B}#", "\u{1B}#"), ("\u{1B}# 8", "\u{1B}# 8"),
    ])
    func `removes DEC line attributes`(text: String, rest: String) {
        Self.check(text, rest, [.lineAttributes])
    }

    @Test(arguments: [
        ("\u{1B}[?2026hx\u{1B}[?2026l", "x"), ("\u{1B}[?25;2026h", "\u{1B}[?25h"), ("\u{1B}[2026h", "\u{1B}[2026h"),
        ("\u{1B}[?2026$p\u{1B}[?20260h\u{1B}[?25l\u{1B}[h", "\u{1B}[?2026$p\u{1B}[?20260h\u{1B}[?25l\u{1B}[h"),
    ])
    func `removes synchronized output`(text: String, rest: String) {
        Self.check(text, rest, [.synchronization])
    }

    private static let sample: [UInt8] = {
        var random = SeededGenerator(seed: 24)
        let piece =
            "\u{1B}[1;48;5;44;38;2;41;42;43m€\u{1B}#6\u{1B}[?2026;25h\u{1B}Ptmux;\u{1B}\u{1B}[41m\u{1B}\\x\u{1B}[4\n2m"
        var bytes: [UInt8] = []
        while bytes.count < 10_000 { bytes += EscapeSample.bytes(100, using: &random) + Array(piece.utf8) }
        return bytes
    }()

    @Test(arguments: [[OutputFilter.Rule.all], [.backgrounds, .lineAttributes, .synchronization]])
    func `every split gives the same bytes`(rules: [OutputFilter.Rule]) {
        let sample = Self.sample
        let expected = Self.filtered([sample[...]], rules)
        #expect(expected.count < sample.count && !expected.isEmpty)
        var first = OutputFilter(rules)
        var shown: [UInt8] = []
        for cut in sample.indices {
            // Continuing from a copy makes the second part independent of how the first part was split.
            var second = first
            let rest = second.filter(Array(sample[cut...]))
            #expect(shown + rest + second.finish() == expected, "cut at \(cut)")
            shown += first.filter([sample[cut]])
        }
        #expect(shown + first.finish() == expected)
        for size in [2, 3, 7, 64, 1000] {
            let chunks = stride(from: 0, to: sample.count, by: size).map { sample[$0...].prefix(size) }
            #expect(Self.filtered(chunks, rules) == expected, "chunks of \(size) bytes")
        }
    }

    @Test func `no escape remains when all sequences are removed`() {
        #expect(!Self.filtered([Self.sample[...]], [.all]).contains(0x1B))
    }

    @Test func `what remains is shown without backgrounds, and otherwise unchanged`() {
        let filtered = Self.filtered([Self.sample[...]], [.backgrounds])
        var (before, after) = (LineRenderer(size: .standard), LineRenderer(size: .standard))
        #expect(after.text(filtered) == before.text(Self.sample))
        #expect(Self.filtered([filtered[...]], [.backgrounds]) == filtered)
    }

    @Test(arguments: [[OutputFilter.Rule.all], [.backgrounds]])
    func `an endless sequence is not held in memory`(rules: [OutputFilter.Rule]) {
        for start in ["\u{1B}[", "\u{1B}]0;", "\u{1B}Pq", "\u{1B}#"] {
            var filter = OutputFilter(rules)
            var count = filter.filter(Array(start.utf8)).count
            for _ in 0..<100 { count += filter.filter(Array(repeating: UInt8(ascii: "1"), count: 1000)).count }
            #expect(filter.finish().count <= 1024)
            #expect(rules == [.all] && start != "\u{1B}#" ? count == 0 : count > 90_000)
        }
    }
}

extension LineRenderer {
    fileprivate mutating func text(_ bytes: [UInt8]) -> [UInt8] {
        var (rest, text) = (bytes[...], [UInt8]())
        while !rest.isEmpty { text += render(&rest) }
        return text + finish()
    }
}
