import Core
import Testing

@testable import Terminal

struct AnswerTests {
    @Test(arguments: [
        ("\u{1B}[?53n", "\u{1B}[?50n"), ("\u{1B}[?55n", "\u{1B}[?50n"), ("\u{1B}[?62n", "\u{1B}[0000*{"),
        ("\u{1B}[?63;12n", "\u{1B}P12!~0000\u{1B}\\"), ("\u{1B}[?75n", "\u{1B}[?70n"), ("\u{1B}[?85n", "\u{1B}[?83n"),
        ("\u{1B}[?996n", "\u{1B}[?997;1n"), ("\u{1B}]11;#fff\u{7}\u{1B}[?996n", "\u{1B}[?997;2n"),
        ("\u{1B}[11t", "\u{1B}[1t"), ("\u{1B}[13t", "\u{1B}[3;0;0t"), ("\u{1B}[14t", "\u{1B}[4;32;160t"),
        ("\u{1B}[15t", "\u{1B}[5;32;160t"), ("\u{1B}[16t", "\u{1B}[6;16;8t"), ("\u{1B}[19t", "\u{1B}[9;2;20t"),
        ("\u{1B}[?1;1;0S", "\u{1B}[?1;1S"), ("\u{1B}[?1m", "\u{1B}[>1;2m"), ("\u{1B}[13$p", "\u{1B}[13;4$y"),
        ("\u{1B}[2$w", "\u{1B}P2$u9/17\u{1B}\\"), ("ab\u{1B}[1m\u{1B}[1$w", "\u{1B}P1$u1;3;1;A;@;@;0;2;@;BBBB\u{1B}\\"),
        ("\u{1B}-A\u{1B}/A\u{1B}[1$w", "\u{1B}P1$u1;1;1;@;@;@;0;2;J;BABA\u{1B}\\"),
        ("\u{1B}[\"v", "\u{1B}[2;20;1;1;1\"w"), ("\u{1B}[&u", "\u{1B}P0!u%5\u{1B}\\"),
        ("\u{1B}P+q544e\u{1B}\\", "\u{1B}P0+r\u{1B}\\"),
        ("\u{1B}[>q", "\u{1B}P>|vt(\(Release.version))\u{1B}\\"),
        ("\u{1B}[>4;2m\u{1B}[!p\u{1B}[?4m", "\u{1B}[>4;0m"),
        ("\u{1B}[?2048h", "\u{1B}[48;2;20;32;160t"), ("\u{1B}[=c", "\u{1B}P!|00000000\u{1B}\\"), ("\u{1B}[=1c", ""),
        ("\u{1B}[?5m", "\u{1B}[>5;0m"), ("\u{1B}P$q*x\u{1B}\\", "\u{1B}P1$r0*x\u{1B}\\"),
        ("\u{1B}[2*x\u{1B}[!p\u{1B}P$q*x\u{1B}\\", "\u{1B}P1$r2*x\u{1B}\\"),
        ("\u{1B}P$q$}\u{1B}\\", "\u{1B}P1$r0$}\u{1B}\\"), ("\u{1B}P$q$~\u{1B}\\", "\u{1B}P1$r0$~\u{1B}\\"),
        // The reported level is the level in DA1, regardless of the level requested by DECSCL.
        ("\u{1B}P$q\"p\u{1B}\\", "\u{1B}P1$r62;1\"p\u{1B}\\"),
        ("\u{1B}[64;1\"p\u{1B}P$q\"p\u{1B}\\", "\u{1B}P1$r62;1\"p\u{1B}\\"),
        ("\u{1B}[?42$p", "\u{1B}[?42;2$y"), ("\u{1B}[?42h\u{1B}[?42$p", "\u{1B}[?42;1$y"),
        (
            "\u{1B}[?42h\u{1B}(%6\u{1B})5\u{1B}*`\u{1B}+A\u{1B}[1$w",
            "\u{1B}P1$u1;1;1;@;@;@;0;2;@;%65`A\u{1B}\\"
        ),
    ])
    func `answers queries from programs`(_ text: String, _ answer: String) throws {
        #expect(try Emulator("20x2", text).answered == answer)
    }

    @Test(arguments: [
        ("\u{1B}]11;?\u{7}", "\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{7}"),
        ("\u{1B}]10;?;?\u{1B}\\", "\u{1B}]10;rgb:cccc/cccc/cccc\u{1B}\\\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{1B}\\"),
        ("\u{1B}]4;1;?;196;?\u{7}", "\u{1B}]4;1;rgb:cdcd/3131/3131\u{7}\u{1B}]4;196;rgb:ffff/0000/0000\u{7}"),
        ("\u{1B}]4;1;#102030\u{7}\u{1B}]4;1;?\u{7}", "\u{1B}]4;1;rgb:1010/2020/3030\u{7}"),
        ("\u{1B}]4;1;#102030\u{7}\u{1B}]104;1\u{7}\u{1B}]4;1;?\u{7}", "\u{1B}]4;1;rgb:cdcd/3131/3131\u{7}"),
        ("\u{1B}]4;1;#102030\u{7}\u{1B}]104\u{7}\u{1B}]4;1;?\u{7}", "\u{1B}]4;1;rgb:cdcd/3131/3131\u{7}"),
        ("\u{1B}]12;rgb:1/2/3\u{7}\u{1B}]12;?\u{7}", "\u{1B}]12;rgb:1111/2222/3333\u{7}"),
        ("\u{1B}]12;rgb:1/2/3\u{7}\u{1B}]112\u{7}\u{1B}]12;?\u{7}", "\u{1B}]12;rgb:cccc/cccc/cccc\u{7}"),
        (
            "\u{1B}]5;0;#fff\u{7}\u{1B}]5;0;?\u{7}\u{1B}]4;256;?\u{7}",
            "\u{1B}]5;0;rgb:f0f0/f0f0/f0f0\u{7}\u{1B}]4;256;rgb:f0f0/f0f0/f0f0\u{7}"
        ),
        ("\u{1B}]4;999;?\u{7}\u{1B}]4;x;?\u{7}\u{1B}]11;nonsense\u{7}", ""),
    ])
    func `replies to color queries with the current colors`(_ text: String, _ answer: String) throws {
        #expect(try Emulator("20x2", text).answered == answer)
    }

    @Test func `uses the colors of the attached terminal until the program sets others`() throws {
        var emulator = try Emulator("20x2", "")
        emulator.terminalColors[.background] = 0xFFFFFF
        emulator.feed(Array("\u{1B}]11;?\u{7}\u{1B}[?996n\u{1B}]11;#000\u{7}\u{1B}]11;?\u{7}".utf8))
        #expect(emulator.answered == "\u{1B}]11;rgb:ffff/ffff/ffff\u{7}\u{1B}[?997;2n\u{1B}]11;rgb:0000/0000/0000\u{7}")
    }

    @Test(arguments: [
        ("a", "FF9F"), ("\u{1B}[1mb", "FF1E"), ("", "FFE0"), ("\u{1B}[7;4mA", "FF8F"), ("\u{1B}[1\"qa", "FF9F"),
        ("\u{1B}Va", "FF9F"), ("\u{1B}[8ma", "FFE0"), ("\u{1B}[1;8ma", "FF60"), ("\u{1B}[21my", "FF87"),
        ("\u{1B}[4:3my", "FF87"), ("\u{1B}[2;3;9my", "FF87"), ("\u{1B}[5my", "FF47"),
    ])
    func `the checksum of a cell matches xterm`(_ text: String, _ sum: String) throws {
        let answer = try Emulator("20x2", "\(text)\u{1B}[7;1;1;1;1;1*y").answered
        #expect(answer == "\u{1B}P7!~\(sum)\u{1B}\\")
    }

    @Test(arguments: [
        "", "\u{1B}[2;3H", "\u{1B}[1;4;5;7m", "\u{1B}[1\"q", "\u{1B}[2;2r\u{1B}[?6h", "12345678901234567890",
        "\u{1B}(0\u{1B})A\u{1B}.A\u{0E}", "\u{1B}/A\u{1B}O", "\u{1B}N", "\u{1B}*0\u{1B}n",
        "\u{1B}[?42h\u{1B}(%6\u{1B})5\u{1B}*=",
    ])
    func `DECRSPS restores the reported cursor`(_ text: String) throws {
        var emulator = try Emulator("20x2", "\(text)\u{1B}[1$w")
        let report = String(decoding: emulator.takeAnswers(), as: UTF8.self)
        let data = report.dropFirst(5).dropLast(2)
        let mode = text.contains("?42h") ? "\u{1B}[?42h" : ""
        for before in ["", "x\u{1B}[1;4;5;7;41m\u{1B}[1\"q\u{1B}(0\u{1B}.A\u{1B}n\u{1B}[2;9H\u{1B}O"] {
            let restored = try Emulator("20x2", "\(mode)\(before)\u{1B}P1$t\(data)\u{1B}\\\u{1B}[1$w")
            #expect(restored.answered == report)
        }
    }

    @Test(arguments: [
        ("9/17", [8, 16]), ("", []), ("1/5/80/20/0/x/99999999", [0, 4, 19]),
    ])
    func `DECRSPS restores tab stops`(_ data: String, _ stops: [Int]) throws {
        let emulator = try Emulator("20x2", "\u{1B}P2$t\(data)\u{1B}\\")
        #expect(emulator.tabs.columns == stops)
    }

    @Test(arguments: ["", ";", "1;1;1", "1;1;1;@;@;@;0;2;@", "x;1;1;@;@;@;0;2;@;BBBB", "1;1;1;;;;;;;", "9999999;1;1;@"])
    func `invalid cursor information changes nothing`(_ data: String) throws {
        let emulator = try Emulator("20x2", "\u{1B}[1m\u{1B}[2;3H\u{1B}P1$t\(data)\u{1B}\\\u{1B}P3$t\(data)\u{1B}\\")
        #expect(emulator.place == [2, 1])
        #expect(emulator.pen.attributes == .bold)
    }

    /// The sums are the ones that xterm 379 reports.
    @Test(arguments: [
        ("a\u{1B}[5Gb", "1;1;1;8", 0xC3), ("a\u{1B}[5Gb", "1;2;1;5", 0x82), ("a\u{1B}[5Gb", "1;2;1;3", 0x20),
        ("a\r\n\n  b", "1;1;3;8", 0x103), ("a  ", "1;1;1;8", 0xA1), ("a  ", "1;2;1;8", 0x40),
        ("a\tb", "1;1;1;20", 0xC3),
        ("\u{1B}[44m\u{1B}[2Ja\u{1B}[5Gb", "1;1;1;8", 0x183), ("abcdef\u{1B}[2G\u{1B}[2P", "1;1;1;8", 0x190),
        ("abcdef\u{1B}[3G\u{1B}[K", "1;1;1;8", 0xC3), ("a\u{1B}[2*x\u{1B}[1;1;1;4;1$r", "1;1;1;8", 0x2C1),
    ])
    func `only the first empty cell in a rectangle counts`(_ text: String, _ area: String, _ sum: Int) throws {
        let answer = try Emulator("20x4", "\(text)\u{1B}[1;1;\(area)*y").answered
        #expect(answer == "\u{1B}P1!~\(String(0x10000 - sum, radix: 16, uppercase: true))\u{1B}\\")
    }

    @Test func `the right half of a wide character counts as 0xFF`() throws {
        let emulator = try Emulator("20x2", "中\u{1B}[1;1;1;1;1;1*y\u{1B}[1;1;1;2;1;2*y\u{1B}[1;1;1;1;1;2*y")
        #expect(emulator.answered == "\u{1B}P1!~FFD3\u{1B}\\\u{1B}P1!~FF01\u{1B}\\\u{1B}P1!~FED4\u{1B}\\")
    }

    @Test func `limits the cost of checksums to a few screens`() throws {
        let emulator = try Emulator("1000x1000", String(repeating: "\u{1B}[1*y", count: 1000))
        #expect(emulator.answered.split(separator: "!").count - 1 == 4)
    }

    @Test func `the rendered state includes the colors that the program has set`() throws {
        let emulator = try Emulator("20x2", "\u{1B}]11;#123456\u{7}\u{1B}]4;7;#abcdef\u{7}\u{1B}]5;1;#010203\u{7}")
        var copy = Emulator(size: emulator.size)
        copy.feed(StateRenderer.render(emulator))
        #expect(copy.colors == emulator.colors)
        #expect(copy.answered == "")
    }
}
