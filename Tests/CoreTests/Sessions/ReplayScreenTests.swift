import Core
import Testing

struct ReplayScreenTests {
    private static let clearing = "\u{1B}\\\u{1B}[m\u{1B}(B\u{0F}\u{1B}[r\u{1B}[H\u{1B}[2J"

    @Test func `short output is written again from its start`() throws {
        #expect(try Self.screen("$ ls\r\nfile\r\n$ ") == "$ ls\r\nfile\r\n$ ")
    }

    @Test(arguments: [
        ("old\u{1B}[H\u{1B}[2Jnew", "\u{1B}[H\u{1B}[2Jnew"), ("old\u{1B}[2Jnew", "\u{1B}[2Jnew"),
        ("old\u{1B}[H\u{1B}[Jnew", "\u{1B}[H\u{1B}[Jnew"), ("old\u{1B}cnew", "\u{1B}cnew"),
        ("old\u{1B}[Jnew", "old\u{1B}[Jnew"), ("old\u{1B}[3Jnew", "old\u{1B}[3Jnew"),
        ("\u{1B}[?1h\u{1B}[31mold\u{1B}[2Jnew", "\u{1B}[?1h\u{1B}[0;38;5;1m\u{1B}[2Jnew"),
    ])
    func `output is written from the last clearing on`(_ output: String, _ screen: String) throws {
        #expect(try Self.screen(output) == screen)
    }

    @Test func `the main screen is there below the other`() throws {
        let screen = try Self.screen("$ vim\r\n\u{1B}[?1049h\u{1B}[?1h\u{1B}[2Jold\u{1B}[2Jnew")
        #expect(screen == "$ vim\r\n\u{1B}[?1049h\u{1B}[?1h\u{1B}[2Jnew")
    }

    @Test func `what cleared the other screen does not count for the main one`() throws {
        let output = "$ vim\r\n\u{1B}[?1049h\u{1B}[2Jtext\u{1B}[?1049l$ "
        #expect(try Self.screen(output) == output)
    }

    @Test(arguments: [
        "\u{1B}[c", "\u{1B}[>c", "\u{1B}[=0c", "\u{1B}[5n", "\u{1B}[6n", "\u{1B}[?6n", "\u{1B}[?996n", "\u{1B}[?2026$p",
        "\u{1B}P$qr\u{1B}\\", "\u{1B}P+q544e\u{1B}\\", "\u{1B}]4;1;?\u{07}", "\u{1B}]10;?\u{07}", "\u{1B}]11;?\u{1B}\\",
        "\u{1B}]12;?\u{07}", "\u{1B}]52;c;?\u{07}", "\u{1B}]52;c;YQ==\u{07}", "\u{1B}[18t", "\u{1B}[14t", "\u{05}",
        "\u{07}", "\u{1B}[?u", "\u{1B}[>q", "\u{1B}[>0q", "\u{1B}Z", "\u{1B}_Gi=1,a=q;AAAA\u{1B}\\",
        "\u{1B}]9;note\u{07}",
        "\u{1B}[?4m", "\u{1B}[?1;1S", "\u{1B}[x", "\u{1B}]21;foreground=?\u{07}",
    ])
    func `what a terminal answers is left out`(_ query: String) throws {
        #expect(try Self.screen("a\(query)b") == "ab")
    }

    @Test(arguments: [
        "\u{1B}]0;what; ?\u{07}", "\u{1B}]8;;http://h/?q\u{1B}\\x", "\u{1B}[4 q", "\u{1B}[>1u", "\u{1B}[>4;2m",
        "\u{1B}[u",
        "\u{1B}]133;A\u{07}", "\u{1B}]4;1;rgb:0/0/0\u{07}", "\u{1B}[2S",
    ])
    func `what is no query stays`(_ sequence: String) throws {
        #expect(try Self.screen("a\(sequence)b").contains(sequence))
    }

    @Test func `a sequence that is not yet whole goes on in what follows`() throws {
        #expect(try Self.screen("a\u{1B}[3") == "a\u{1B}[3")
    }

    @Test(arguments: 0..<20)
    func `long output is cut between sequences and keeps what is in force`(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let line = "\u{1B}[32m€uro\u{1B}]0;title\u{07}\u{1B}[0m \u{1B}[1;44mx\u{1B}[m"
        let count = Int.random(in: 9_000...12_000, using: &random)
        let log = MemoryLog("\u{1B}[?1000h\u{1B}[?2004h" + String(repeating: line, count: count))
        let bytes = try ReplayScreen().screen(of: log, end: UInt64(log.bytes.count), size: .standard)
        let text = try #require(String(validating: bytes, as: UTF8.self))
        #expect(bytes.count < Int(ReplayScreen.windowBytes) + 1_024)
        #expect(bytes.count > Int(ReplayScreen.windowBytes) - 40_000)
        #expect(text.hasPrefix(Self.clearing + "\u{1B}[?1000h\u{1B}[?2004h"))
        let rest = text.dropFirst((Self.clearing + "\u{1B}[?1000h\u{1B}[?2004h").count)
        #expect(["\u{1B}[", "€", "\u{1B}]", " "].contains { rest.hasPrefix($0) })
    }

    @Test func `output that is one long string is swallowed to its end`() throws {
        let log = MemoryLog("text\u{1B}P" + String(repeating: "q", count: 400_000))
        let bytes = try ReplayScreen().screen(of: log, end: UInt64(log.bytes.count), size: .standard)
        #expect(String(decoding: bytes, as: UTF8.self) == Self.clearing + "\u{1B}P")
    }

    @Test func `output that is gone is not needed`() throws {
        let log = MemoryLog(String(repeating: "x", count: 100_000) + "\u{1B}[31mred", firstOffset: 90_000)
        let bytes = try ReplayScreen().screen(of: log, end: 100_008, size: .standard)
        #expect(String(decoding: bytes, as: UTF8.self) == Self.clearing + "\u{1B}[0;38;5;1mred")
    }

    @Test(arguments: 0..<20)
    func `a screen in steps is the screen at once`(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let log = MemoryLog(EscapeSample.bytes(40_000, using: &random))
        let stepwise = ReplayScreen()
        var end = 0
        while end < log.bytes.count {
            end = min(end + Int.random(in: 1...9_000, using: &random), log.bytes.count)
            let screen = try stepwise.screen(of: log, end: UInt64(end), size: .standard)
            #expect(screen == (try ReplayScreen().screen(of: log, end: UInt64(end), size: .standard)))
        }
    }

    private static func screen(_ output: String) throws -> String {
        let log = MemoryLog(output)
        let bytes = try ReplayScreen().screen(of: log, end: UInt64(log.bytes.count), size: .standard)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix(clearing))
        return String(text.unicodeScalars.dropFirst(clearing.unicodeScalars.count))
    }
}
