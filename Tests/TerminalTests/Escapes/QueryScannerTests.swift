import Core
import Terminal
import TestSupport
import Testing

struct QueryScannerTests {
    static let queries = [
        "\u{1B}[c", "\u{1B}[0c", "\u{1B}[>c", "\u{1B}[=c", "\u{1B}[5n", "\u{1B}[6n", "\u{1B}[?6n", "\u{1B}[?996n",
        "\u{1B}[?2026$p", "\u{1B}[4$p", "\u{1B}[>q", "\u{1B}[>0q", "\u{1B}[14t", "\u{1B}[x", "\u{1B}[?u", "\u{1B}[?4m",
        "\u{1B}[?1;1;0S", "\u{1B}[1;1;1;1;2;2*y", "\u{1B}[2$w", "\u{1B}[&u", "\u{1B}[\"v", "\u{1B}Z",
        "\u{1B}P$qm\u{1B}\\", "\u{1B}P+q544e\u{1B}\\", "\u{1B}]11;?\u{7}", "\u{1B}]4;1;?\u{1B}\\", "\u{1B}]19;?\u{7}",
        "\u{1B}[?2048h", "\u{1B}[?25;2048h", "\u{1B}[?2048;25h",
    ]

    @Test(arguments: queries)
    func `finds the end of a query, however it is split`(_ query: String) {
        let bytes = Array("text\u{1B}[1;31m\u{1B}]0;what?\u{7}\(query) and more\u{1B}[m".utf8)
        let end = Array("text\u{1B}[1;31m\u{1B}]0;what?\u{7}\(query)".utf8).count
        for cut in 0...bytes.count {
            var scanner = QueryScanner()
            let first = Self.scan(bytes[..<cut], with: &scanner)
            let second = Self.scan(bytes[cut...], with: &scanner).map { $0 + cut }
            #expect(second ?? first == end, "cut at \(cut)")
        }
    }

    @Test(arguments: [
        "plain", "\u{1B}[m\u{1B}[1;31m\u{1B}[38:2::1:2:3m", "\u{1B}[u\u{1B}[>1u\u{1B}[=1;1u\u{1B}[<u", "\u{1B}[>4;2m",
        "\u{1B}[?25h",
        "\u{1B}[?1049;2004h\u{1B}[?2048l", "\u{1B}[2 q", "\u{1B}[!p", "\u{1B}]0;what?\u{7}", "\u{1B}]52;c;?\u{7}",
        "\u{1B}]4;1;#fff\u{7}",
        "\u{1B}]8;;http://h/?11\u{7}", "\u{1B}P1$tx?\u{1B}\\", "\u{1B}Pq#0\u{1B}\\", "\u{1B}_Gq\u{1B}\\",
        "\u{1B}[1S\u{1B}[3 S", "\u{1B}[>1n",
        "\u{1B}[6\u{18}n", "\u{1B}[H\u{1B}[2J\u{1B}[3;4r\u{1B}7\u{1B}8\u{1B}(B",
    ])
    func `does not mistake other sequences for queries`(_ text: String) {
        var scanner = QueryScanner()
        #expect(Self.scan(Array(text.utf8)[...], with: &scanner) == nil)
    }

    @Test(arguments: 0..<40)
    func `finds every sequence that the emulator may reply to`(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let bytes = EscapeSample.bytes(2_000, using: &random)
        var ends: [Int] = []
        var scanner = EscapeScanner()
        // ENQ and the clipboard query are never answered.
        scanner.scan(bytes) { sequence in
            let isClipboard = sequence.body.starts(with: Array("52".utf8))
            if sequence.isQuery && sequence.kind != .control && !isClipboard { ends.append(Int(sequence.end)) }
        }
        var found: [Int] = []
        var queries = QueryScanner()
        for (index, byte) in bytes.enumerated() where Self.scan([byte], with: &queries) != nil {
            found.append(index + 1)
        }
        let missed = ends.filter { !found.contains($0) }
        #expect(missed.map { String(decoding: bytes[max(0, $0 - 24)..<$0], as: UTF8.self) } == [])
    }

    private static func scan(_ bytes: ArraySlice<UInt8>, with scanner: inout QueryScanner) -> Int? {
        bytes.withUnsafeBytes { scanner.scan($0) }
    }
}
