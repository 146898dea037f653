import Core
import Terminal
import Testing

struct EscapeReplayTests {
    @Test(arguments: [
        "\u{1B}[c", "\u{1B}[>c", "\u{1B}[=0c", "\u{1B}[5n", "\u{1B}[6n", "\u{1B}[?6n", "\u{1B}[?996n", "\u{1B}[?2026$p",
        "\u{1B}P$qr\u{1B}\\", "\u{1B}P+q544e\u{1B}\\", "\u{1B}]4;1;?\u{07}", "\u{1B}]10;?\u{07}", "\u{1B}]11;?\u{1B}\\",
        "\u{1B}]12;?\u{07}", "\u{1B}]52;c;?\u{07}", "\u{1B}]52;c;YQ==\u{07}", "\u{1B}[18t", "\u{1B}[14t", "\u{05}",
        "\u{07}", "\u{1B}[?u", "\u{1B}[>q", "\u{1B}[>0q", "\u{1B}Z", "\u{1B}_Gi=1,a=q;AAAA\u{1B}\\",
        "\u{1B}]9;note\u{07}", "\u{1B}[?4m", "\u{1B}[?1;1S", "\u{1B}[x", "\u{1B}]21;foreground=?\u{07}",
    ])
    func `removes queries and side effects`(_ query: String) {
        #expect(Self.kept("a\(query)b") == "ab")
    }

    @Test(arguments: [
        "\u{1B}]0;what; ?\u{07}", "\u{1B}]8;;http://h/?q\u{1B}\\x", "\u{1B}[4 q", "\u{1B}[>1u", "\u{1B}[>4;2m",
        "\u{1B}[u", "\u{1B}]133;A\u{07}", "\u{1B}]4;1;rgb:0/0/0\u{07}", "\u{1B}[2S", "\u{1B}[3",
    ])
    func `keeps all other sequences`(_ sequence: String) {
        #expect(Self.kept("a\(sequence)b") == "a\(sequence)b")
    }

    private static func kept(_ text: String) -> String {
        var filter = LiveFilter()
        return String(decoding: filter.filter(Array(text.utf8)), as: UTF8.self)
    }
}
