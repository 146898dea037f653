@testable import Services
import Core
import Testing

struct DetachKeyTests {
    @Test(arguments: [("^]", 0x1D), ("C-]", 0x1D), ("C-a", 1), ("^A", 1), ("^@", 0), ("C-\\", 0x1C), ("^_", 0x1F)])
    func `parses both notations of a key`(_ text: String, _ byte: UInt8) throws {
        #expect(try DetachKey.parse(text)?.byte == byte)
    }

    @Test func `the key can be disabled`() throws {
        #expect(try DetachKey.parse("none") == nil)
    }

    @Test(arguments: ["", "^", "a", "C-", "C-ab", "^1", "^é", "M-a", "^{"])
    func `rejects text that does not name a control key`(_ text: String) {
        let error = #expect(throws: VTError.self) { try DetachKey.parse(text) }
        #expect(error?.code == .usage)
    }

    @Test(arguments: [
        "\u{1D}", "\u{1B}[93;5u", "\u{1B}[93;5:1u", "\u{1B}[93;133u", "\u{1B}[93:125;69u", "\u{1B}[27;5;93~",
        "\u{1B}[93;5;29u",
    ])
    func `detaches with every encoding of the key`(_ sent: String) {
        #expect(Self.scan([sent]) == "|")
        #expect(Self.scan(["abc\(sent)"]) == "abc|")
    }

    @Test(arguments: [
        "\u{1B}[93;6u", "\u{1B}[93u", "\u{1B}[93;5:3u", "\u{1B}[27;2;93~", "\u{1B}[5u", "\u{1B}[200~a\u{1D}",
    ])
    func `forwards other keys`(_ sent: String) {
        #expect(Self.scan([sent]) == sent)
    }

    @Test func `forwards the key if other bytes follow it in the same read`() {
        #expect(Self.scan(["one\u{1D}two"]) == "one\u{1D}two")
    }

    @Test(arguments: 1...14)
    func `forwards the key within a paste, however it is split`(_ length: Int) {
        let bytes = Array("\u{1B}[200~ab\u{1D}\u{1B}[201~".utf8)
        let parts = stride(from: 0, to: bytes.count, by: length).map { start in
            String(decoding: bytes[start..<min(start + length, bytes.count)], as: UTF8.self)
        }
        #expect(Self.scan(parts + ["\u{1D}"]) == "\u{1B}[200~ab\u{1D}\u{1B}[201~|")
    }

    @Test(arguments: ["\u{1D}", "\u{1B}[93;5u", "\u{1B}[27;5;93~"])
    func `forwards the key once if it is pressed twice`(_ key: String) {
        #expect(Self.scan(["a\(key)\(key)"]) == "a\(key)")
        #expect(Self.scan(["a\(key)", key]) == "a|\(key)")
        #expect(Self.scan(["a\(key)", "\(key)b"]) == "a|\(key)b")
        #expect(Self.scan(["\(key)\(key)\(key)"]) == "\(key)|")
        #expect(Self.scan([key, key, key]) == "|\(key)|")
        #expect(Self.scan([key, "\(key)\(key)"]) == "|\(key)|")
    }

    @Test func `input between two presses does not separate them`() {
        let (press, release) = ("\u{1B}[93;5u", "\u{1B}[93;5:3u")
        #expect(Self.scan([press, release, press, release]) == "||\(press)\(release)\(release)")
        #expect(Self.scan([press, release + press + release]) == "|\(press)\(release)\(release)")
    }

    @Test(arguments: ["m", "\u{1B}[109u", "\u{1B}[109;1:1u", "\u{1B}[109;129u"])
    func `the key and then m add a marker`(_ marker: String) {
        let (press, release) = ("\u{1B}[93;5u", "\u{1B}[93;5:3u")
        #expect(Self.scan(["a\u{1D}", "\(marker)b"]) == "a|*b")
        #expect(Self.scan(["a\u{1D}\(marker)"]) == "*a")
        #expect(Self.scan(["\(press)\(release)", "\(marker)"]) == "\(press)\(release)\(marker)")
        #expect(Self.scan([press, release, marker, release]) == "||*\(release)")
        #expect(Self.scan(["\u{1D}", "\(marker)\u{1D}\(marker)"]) == "|**")
        #expect(Self.scan(["\u{1D}", "\(marker)\u{1D}"]) == "|*|")
    }

    @Test func `m is an ordinary key elsewhere`() {
        #expect(Self.scan(["m\u{1D}x", "m"]) == "m\u{1D}xm")
        #expect(Self.scan(["\u{1D}\u{1D}m"]) == "\u{1D}m")
        #expect(Self.scan(["\u{1D}", "\u{1D}m"]) == "|\u{1D}m")
        #expect(Self.scan(["\u{1B}[200~\u{1D}m"]) == "\u{1B}[200~\u{1D}m")
        // The movement of a mouse, minus of the numeric keypad, and Alt-m.
        for other in ["\u{1B}[<35;1;1m", "\u{1B}Om", "\u{1B}m"] {
            #expect(Self.scan(["\u{1D}", other]) == "||")
        }
    }

    @Test func `y and n after the key answer a question`() {
        #expect(Self.scan(["\u{1D}y", "y"]) == "!y")
        #expect(Self.scan(["\u{1D}", "\u{1B}[121u"]) == "|!")
        #expect(Self.scan(["a\u{1D}", "n", "\u{1D}", "m"]) == "a|?|*")
        #expect(Self.scan(["\u{1D}\u{1D}y", "\u{1B}[200~\u{1D}y"]) == "\u{1D}y\u{1B}[200~\u{1D}y")
    }

    /// The forwarded bytes, with an asterisk for each marker, marks for each answer, and a vertical bar at the end of each part after which the key counts as pressed.
    private static func scan(_ parts: [String]) -> String {
        var scanner = DetachScanner(.standard)
        return parts.map { part in
            let passed = scanner.filter(Array(part.utf8))
            let commands = scanner.takeCommands().map { [.marker: "*", .done: "!", .refuse: "?"][$0] ?? "" }
            return commands.joined() + String(decoding: passed, as: UTF8.self) + (scanner.press == nil ? "" : "|")
        }.joined()
    }
}
