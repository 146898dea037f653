import Core
import Terminal
import Testing

struct KeyEncoderTests {
    /// What a key sends after the program has written `modes`; both contain ESC as the letters `ESC`.
    private func bytes(_ modes: String, _ key: String) throws -> String {
        let encoder = KeyEncoder(try Emulator("20x2", modes.replacing("ESC", with: "\u{1B}")))
        return String(decoding: try encoder.bytes(of: Key(parsing: key)), as: UTF8.self)
            .replacing("\u{1B}", with: "ESC")
    }

    @Test(arguments: [
        ("", "Up", "ESC[A"), ("ESC[?1h", "Up", "ESCOA"), ("ESC[?1h", "C-Up", "ESC[1;5A"), ("ESC[?1h", "Home", "ESCOH"),
        ("ESC[?1h", "KP_Begin", "ESCOE"), ("ESC[?1h", "KP_Left", "ESCOD"), ("ESC[?1h", "F5", "ESC[15~"),
        ("ESC[?1hESC[?1l", "Up", "ESC[A"), ("ESC[?1h", "KP_5", "5"), ("ESC[?1h", "C-c", "\u{3}"),
    ])
    func `cursor keys follow DECCKM`(_ modes: String, _ key: String, _ bytes: String) throws {
        #expect(try self.bytes(modes, key) == bytes)
    }

    @Test(arguments: [
        ("0", "p"), ("1", "q"), ("2", "r"), ("3", "s"), ("4", "t"), ("5", "u"), ("6", "v"), ("7", "w"), ("8", "x"),
        ("9", "y"), ("Multiply", "j"), ("Add", "k"), ("Separator", "l"), ("Enter", "M"), ("Subtract", "m"),
        ("Decimal", "n"), ("Divide", "o"), ("Equal", "X"),
    ])
    func `the keypad follows DECKPAM and DECNKM`(_ key: String, _ letter: String) throws {
        #expect(try bytes("ESC=", "KP_\(key)") == "ESCO\(letter)")
        #expect(try bytes("ESC[?66h", "KP_\(key)") == "ESCO\(letter)")
        #expect(try bytes("ESC=", "C-KP_\(key)") == "ESCO5\(letter)")
        #expect(try bytes("ESC=ESC>", "KP_\(key)").utf8.count == 1)
        #expect(try bytes("ESC=ESC[!p", "KP_\(key)").utf8.count == 1)
    }

    @Test(arguments: [
        ("ESC[20h", "Enter", "\r\n"), ("ESC[20h", "KP_Enter", "\r\n"), ("ESC[?67h", "BSpace", "\u{8}"),
        ("ESC[?67h", "C-BSpace", "\u{7F}"),
    ])
    func `Enter follows LNM, and BSpace follows DECBKM`(_ modes: String, _ key: String, _ bytes: String) throws {
        #expect(try self.bytes(modes, key) == bytes)
    }

    /// The bytes at level 1 and level 2; xterm's table is at invisible-island.net/xterm/modified-keys.html.
    @Test(arguments: [
        ("x", "x", "x"), ("S-x", "X", "X"), ("C-x", "\u{18}", "27;5;120"), ("C-X", "\u{18}", "27;5;120"),
        ("C-S-x", "27;6;88", "27;6;88"), ("M-x", "ESCx", "27;3;120"), ("M-X", "ESCX", "27;4;88"),
        ("C-M-x", "ESC\u{18}", "27;7;120"), ("C-;", "27;5;59", "27;5;59"), ("C-M-;", "27;7;59", "27;7;59"),
        ("C-1", "27;5;49", "27;5;49"), ("C-2", "\0", "27;5;50"), ("C-!", "27;6;33", "27;6;33"),
        ("C-@", "\0", "27;6;64"), ("C-Space", "\0", "27;5;32"), ("S-Space", " ", "27;2;32"),
        ("C-é", "27;5;233", "27;5;233"), ("Enter", "\r", "\r"), ("C-Enter", "27;5;13", "27;5;13"),
        ("S-Enter", "27;2;13", "27;2;13"), ("M-Enter", "27;3;13", "27;3;13"), ("Tab", "\t", "\t"),
        ("C-Tab", "27;5;9", "27;5;9"), ("S-Tab", "ESC[Z", "27;2;9"), ("C-S-Tab", "27;6;9", "27;6;9"),
        ("Escape", "ESC", "ESC"), ("C-Escape", "ESC", "27;5;27"), ("M-Escape", "27;3;27", "27;3;27"),
        ("BSpace", "\u{7F}", "\u{7F}"), ("C-BSpace", "\u{8}", "27;5;127"), ("C-KP_Add", "27;6;43", "27;6;43"),
        ("C-Up", "ESC[1;5A", "ESC[1;5A"), ("S-F5", "ESC[15;2~", "ESC[15;2~"),
    ])
    func `other keys follow modifyOtherKeys and formatOtherKeys`(_ key: String, _ first: String, _ second: String)
        throws
    {
        for (level, expected) in [(1, first), (2, second)] {
            let numbers = expected.split(separator: ";")
            let isModified = expected.hasPrefix("27;")
            #expect(try bytes("ESC[>4;\(level)m", key) == (isModified ? "ESC[\(expected)~" : expected))
            let short = isModified ? "ESC[\(numbers[2]);\(numbers[1])u" : expected
            #expect(try bytes("ESC[>4;\(level)mESC[>4;1f", key) == short)
        }
        #expect(try bytes("ESC[>4;2mESC[>4;1fESC[>4f", "C-a") == "ESC[27;5;97~")
        #expect(try bytes("ESC[>4;2mESC[>4m", "C-a") == "\u{1}")
        #expect(try bytes("ESC[>4;2mESC[>4n", "C-a") == "\u{1}")
    }

    /// The bytes with flag 1, and with flags 1 and 8.
    @Test(arguments: [
        ("a", "a", "ESC[97u"), ("A", "A", "ESC[97;2u"), ("C-c", "ESC[99;5u", "ESC[99;5u"),
        ("C-C", "ESC[99;5u", "ESC[99;5u"), ("C-S-c", "ESC[99;6u", "ESC[99;6u"), ("M-x", "ESC[120;3u", "ESC[120;3u"),
        ("C-i", "ESC[105;5u", "ESC[105;5u"), ("C-@", "ESC[64;5u", "ESC[64;5u"), ("Space", " ", "ESC[32u"),
        ("C-Space", "ESC[32;5u", "ESC[32;5u"), ("Super-a", "ESC[97;9u", "ESC[97;9u"), ("é", "é", "ESC[233u"),
        ("Hyper-C-a", "ESC[97;21u", "ESC[97;21u"), ("Enter", "\r", "ESC[13u"), ("C-Enter", "ESC[13;5u", "ESC[13;5u"),
        ("Tab", "\t", "ESC[9u"), ("BTab", "ESC[9;2u", "ESC[9;2u"), ("Escape", "ESC[27u", "ESC[27u"),
        ("BSpace", "\u{7F}", "ESC[127u"), ("C-BSpace", "ESC[127;5u", "ESC[127;5u"), ("Up", "ESC[A", "ESC[A"),
        ("S-Up", "ESC[1;2A", "ESC[1;2A"), ("Home", "ESC[H", "ESC[H"), ("Insert", "ESC[2~", "ESC[2~"),
        ("C-PageUp", "ESC[5;5~", "ESC[5;5~"), ("F1", "ESC[P", "ESC[P"), ("F2", "ESC[Q", "ESC[Q"),
        ("F3", "ESC[13~", "ESC[13~"), ("C-F3", "ESC[13;5~", "ESC[13;5~"), ("F4", "ESC[S", "ESC[S"),
        ("F5", "ESC[15~", "ESC[15~"), ("F12", "ESC[24~", "ESC[24~"), ("F13", "ESC[57376u", "ESC[57376u"),
        ("F24", "ESC[57387u", "ESC[57387u"), ("F25", "ESC[57388u", "ESC[57388u"), ("F35", "ESC[57398u", "ESC[57398u"),
        ("S-F20", "ESC[57383;2u", "ESC[57383;2u"), ("KP_0", "0", "ESC[57399u"), ("KP_9", "9", "ESC[57408u"),
        ("C-KP_1", "ESC[57400;5u", "ESC[57400;5u"), ("KP_Decimal", ".", "ESC[57409u"),
        ("KP_Divide", "/", "ESC[57410u"), ("KP_Multiply", "*", "ESC[57411u"), ("KP_Subtract", "-", "ESC[57412u"),
        ("KP_Add", "+", "ESC[57413u"), ("KP_Enter", "ESC[57414u", "ESC[57414u"), ("KP_Equal", "=", "ESC[57415u"),
        ("KP_Separator", ",", "ESC[57416u"), ("KP_Left", "ESC[57417u", "ESC[57417u"),
        ("KP_Right", "ESC[57418u", "ESC[57418u"), ("KP_Up", "ESC[57419u", "ESC[57419u"),
        ("KP_Down", "ESC[57420u", "ESC[57420u"), ("KP_PageUp", "ESC[57421u", "ESC[57421u"),
        ("KP_PageDown", "ESC[57422u", "ESC[57422u"), ("KP_Home", "ESC[57423u", "ESC[57423u"),
        ("KP_End", "ESC[57424u", "ESC[57424u"), ("KP_Insert", "ESC[57425u", "ESC[57425u"),
        ("KP_Delete", "ESC[57426u", "ESC[57426u"), ("KP_Begin", "ESC[E", "ESC[E"),
    ])
    func `keys follow kitty's protocol`(_ key: String, _ disambiguated: String, _ all: String) throws {
        // The protocol prevails over the other modes.
        let modes = "ESC[?1hESC=ESC[>4;2m"
        #expect(try bytes("\(modes)ESC[>1u", key) == disambiguated)
        #expect(try bytes("\(modes)ESC[>9u", key) == all)
    }

    @Test(arguments: ["S-F13", "S-F24", "C-F25", "C-S-F13"])
    func `a modifier that stands for a function key already needs kitty's protocol`(_ key: String) throws {
        let error = #expect(throws: VTError.self) { try bytes("", key) }
        #expect(error?.code == .negative)
        #expect(try bytes("ESC[>1u", key).hasSuffix("u"))
    }

    @Test(arguments: [
        (29, "A", "ESC[97:65;2;65u"), (29, "a", "ESC[97;;97u"), (25, "A", "ESC[97;2;65u"), (13, "A", "ESC[97:65;2u"),
        (25, "C-a", "ESC[97;5u"), (29, "C-S-a", "ESC[97:65;6u"), (25, "Enter", "ESC[13u"),
        (25, "KP_1", "ESC[57400;;49u"),
        (16, "A", "A"), (2, "F1", "ESC[P"), (2, "a", "a"), (2, "C-a", "\u{1}"), (2, "C-Enter", "ESC[13;5u"),
        (2, "Escape", "ESC"), (2, "KP_Home", "ESC[H"), (4, "F1", "ESCOP"), (8, "Escape", "ESC[27u"),
    ])
    func `kitty's other flags add alternates and text`(_ flags: Int, _ key: String, _ bytes: String) throws {
        #expect(try self.bytes("ESC[>\(flags)u", key) == bytes)
    }

    @Test(arguments: [
        ("ESC[>1uESC[<u", "\u{3}"), ("ESC[>1uESC[>0u", "\u{3}"), ("ESC[>1uESC[>0uESC[<u", "ESC[99;5u"),
        ("ESC[=1;1u", "ESC[99;5u"), ("ESC[=9;1uESC[=8;3u", "ESC[99;5u"), ("ESC[=1;1uESC[=1;3u", "\u{3}"),
        ("ESC[>1uESC[?1049h", "\u{3}"), ("ESC[>1uESC[?1049hESC[>0uESC[?1049l", "ESC[99;5u"),
        ("ESC[?1049hESC[>1u", "ESC[99;5u"), ("ESC[>1uESCc", "\u{3}"),
    ])
    func `each screen has its own flags`(_ modes: String, _ bytes: String) throws {
        #expect(try self.bytes(modes, "C-c") == bytes)
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
