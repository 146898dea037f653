import Core
import Terminal
import Testing

struct KeyEncoderTests {
    @Test(arguments: [
        ("", "Up", "\u{1B}[A"), ("\u{1B}[?1h", "Up", "\u{1B}OA"), ("\u{1B}[?1h", "C-Up", "\u{1B}[1;5A"),
        ("\u{1B}[?1h", "Home", "\u{1B}OH"), ("\u{1B}[?1h", "F5", "\u{1B}[15~"), ("", "C-c", "\u{3}"),
        ("\u{1B}[>1u", "C-c", "\u{1B}[99;5u"), ("\u{1B}[>1u", "M-x", "\u{1B}[120;3u"), ("\u{1B}[>1u", "a", "a"),
        ("\u{1B}[>1u", "Escape", "\u{1B}[27u"), ("\u{1B}[>1u", "Enter", "\r"), ("\u{1B}[>1u", "C-i", "\u{1B}[105;5u"),
        ("\u{1B}[>1u", "Tab", "\t"), ("\u{1B}[>1u", "BTab", "\u{1B}[9;2u"), ("\u{1B}[>8u", "a", "\u{1B}[97u"),
        ("\u{1B}[>8u", "Enter", "\u{1B}[13u"), ("\u{1B}[>1u\u{1B}[<u", "C-c", "\u{3}"),
        ("\u{1B}[>4;2m", "C-x", "\u{1B}[27;5;120~"), ("\u{1B}[>4;2m", "x", "x"), ("\u{1B}[>4;1m", "C-x", "\u{18}"),
    ])
    func `encodes a key for the modes set by the program`(_ modes: String, _ key: String, _ bytes: String) throws {
        let encoder = KeyEncoder(try Emulator("20x2", modes))
        #expect(String(decoding: try encoder.bytes(of: key), as: UTF8.self) == bytes)
    }

    @Test func `rejects an unknown key`() throws {
        let encoder = KeyEncoder(try Emulator("20x2", ""))
        let error = #expect(throws: VTError.self) { try encoder.bytes(of: "Nothing") }
        #expect(error?.code == .usage)
    }

    @Test(arguments: [
        ("", "a\nb\r\nc", "a\rb\rc"), ("\u{1B}[?2004h", "a\nb", "\u{1B}[200~a\rb\u{1B}[201~"),
        ("\u{1B}[?2004h", "x\u{1B}[201~y", "\u{1B}[200~xy\u{1B}[201~"),
        ("\u{1B}[?2004h", "x\u{1B}[20\u{1B}[201~1~y", "\u{1B}[200~xy\u{1B}[201~"),
    ])
    func `pasted text has CR line ends and no end sequence`(_ modes: String, _ text: String, _ bytes: String) throws {
        let emulator = try Emulator("20x2", modes)
        #expect(String(decoding: PasteEncoder.bytes(of: Array(text.utf8), for: emulator), as: UTF8.self) == bytes)
    }
}
