import Core
import Terminal
import Testing

struct LiveFilterTests {
    /// The remaining text must not depend on how the bytes are split.
    @Test(arguments: [
        ("plain", "plain"),
        ("a\u{1B}[31mb", "a\u{1B}[31mb"),
        ("a\u{1B}[6nb\u{1B}[cc\u{07}", "abc"),
        ("\u{1B}]0;title\u{07}x\u{1B}]52;c;Zm9v\u{07}y", "\u{1B}]0;title\u{07}xy"),
        ("\u{1B}P$qm\u{1B}\\z\u{1B}Pq#0\u{1B}\\", "z\u{1B}Pq#0\u{1B}\\"),
        ("\u{1B}]11;?\u{1B}\\ok", "ok"),
        // Some terminals act on C1 controls in UTF-8; others skip them within a sequence.
        ("a\u{9B}6nb", "a6nb"), ("a\u{1B}[\u{9B}6nb", "ab"), ("a\u{1B}[é6nb", "ab"), ("\u{1B}é[6nb", "b"),
        ("\u{1B}]0;t\u{9C}\u{9B}c\u{7}x", "\u{1B}]0;tc\u{7}x"), ("é\u{A0}©", "é\u{A0}©"),
        ("\u{1B}]11;?\u{1B}[1mok", "\u{1B}]11;?\u{1B}[1mok"),
        // tmux would pass the inner sequence to its own terminal.
        ("a\u{1B}Ptmux;\u{1B}\u{1B}]52;c;Zm9v\u{7}\u{1B}\\b", "ab"),
        // The bytes on both sides of a removed query must not form another one.
        ("\u{1B}[6\u{1B}[cn", "\u{1B}[6\u{18}n"), ("\u{1B}\u{1B}[c[6n", "\u{1B}\u{18}[6n"),
        ("\u{1B}]11;\u{1B}[c?\u{7}", "\u{1B}]11;\u{18}?"), ("é\u{1B}[cé", "éé"),
    ])
    func `removes everything meant only for live viewers, however the bytes are split`(_ text: String, _ rest: String) {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var filter = LiveFilter()
            let shown = filter.filter(Array(bytes[..<cut])) + filter.filter(Array(bytes[cut...]))
            #expect(String(decoding: shown, as: UTF8.self) == rest, "cut at \(cut)")
        }
        var filter = LiveFilter()
        let shown = bytes.flatMap { filter.filter([$0]) }
        #expect(String(decoding: shown, as: UTF8.self) == rest)
    }

    @Test(arguments: [1, 7, 100, 4096, 10_000, 60_000])
    func `passes or removes long strings as a whole, in chunks of any size`(_ size: Int) {
        let body = String(repeating: "A", count: 50_000)
        let image = "\u{1B}Pq" + body + "\u{1B}\\"
        let text = "a\u{1B}]52;c;\(body)\u{07}b\(image)c\u{1B}]52;c;\(body)\u{18}d\u{1B}[\(body.dropLast())1;1c e"
        var filter = LiveFilter()
        var rest = Array(text.utf8)[...]
        var shown: [UInt8] = []
        while !rest.isEmpty {
            shown += filter.filter(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        let result = String(decoding: shown, as: UTF8.self)
        #expect(result.hasPrefix("ab\(image)c"))
        #expect(result.hasSuffix(" e"))
        #expect(result.count { $0 == "A" } < 105_000)
    }

    @Test func `passes a tmux passthrough string unchanged when removing only queries`() {
        let bytes = Array("a\u{1B}Ptmux;\u{1B}\u{1B}[6n\u{1B}\\b".utf8)
        for cut in 0...bytes.count {
            var filter = LiveFilter(.queries)
            #expect(filter.filter(Array(bytes[..<cut])) + filter.filter(Array(bytes[cut...])) == bytes)
        }
    }

    @Test func `holds back a bounded number of bytes`() {
        var filter = LiveFilter()
        _ = filter.filter(Array("\u{1B}]0;".utf8))
        var count = 0
        for _ in 0..<100 { count += filter.filter([UInt8](repeating: 0x61, count: 1000)).count }
        #expect(count >= 100_000)
    }
}
