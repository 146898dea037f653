import Core
import Terminal
import TestSupport
import Testing

struct TerminalModesTests {
    @Test func `a shell's output changes no modes`() {
        let modes = Self.modes(
            after: "\u{1B}[01;32muser\u{1B}[0m$ \u{1B}[Kls\r\n\u{1B}]0;~\u{07}\u{1B}[?2004h\u{1B}[?2004l"
        )
        #expect(modes == TerminalModes())
        #expect(modes.resetting().isEmpty)
    }

    @Test func `resets the modes set by an editor`() {
        let modes = Self.modes(
            after: "\u{1B}[?1049h\u{1B}[>4;2m\u{1B}[?1h\u{1B}=\u{1B}[?2004h\u{1B}[?1006;1002h\u{1B}[?25l\u{1B}[1;24r"
        )
        #expect(
            modes.resetting() == "\u{1B}>\u{1B}[>4m\u{1B}7\u{1B}[r\u{1B}8\u{1B}[?1l\u{1B}[?25h\u{1B}[?1002l"
                + "\u{1B}[?1006l\u{1B}[?2004l\u{1B}[?1049l"
        )
    }

    @Test func `resets the keyboard flags of each screen separately`() {
        let modes = Self.modes(after: "\u{1B}[>1u\u{1B}[?1049h\u{1B}[>3u\u{1B}[>5u")
        #expect(modes.resetting() == "\u{1B}[<2u\u{1B}[?1049l\u{1B}[<1u")
    }

    @Test(arguments: ["1", "31", "38;5;0", "38:2::0:0:0", "0;4:3", "48;2;0;0;0"])
    func `resets character attributes`(_ rendition: String) {
        #expect(Self.modes(after: "\u{1B}[\(rendition)m").resetting() == "\u{1B}[m")
        #expect(Self.modes(after: "\u{1B}[\(rendition)m\u{1B}[0m").resetting().isEmpty)
    }

    @Test(arguments: [
        ("\u{1B}]11;#fff\u{7}\u{1B}]10;?\u{7}", "\u{1B}]111\u{1B}\\"),
        ("\u{1B}]10;#1;#2\u{7}", "\u{1B}]110\u{1B}\\\u{1B}]111\u{1B}\\"),
        ("\u{1B}]4;3;red;1;#123;5;?\u{7}", "\u{1B}]104;1;3\u{1B}\\"), ("\u{1B}]4;3;red\u{7}\u{1B}]104\u{7}", ""),
        ("\u{1B}]17;#fff\u{7}", "\u{1B}]117\u{1B}\\"), ("\u{1B}]12;#fff\u{7}\u{1B}]112\u{7}", ""),
        ("\u{1B}]22;wait\u{7}", "\u{1B}]22;\u{1B}\\"), ("\u{1B}]9;4;1;50\u{7}", "\u{1B}]9;4;0\u{1B}\\"),
        ("\u{1B}]9;4;1;50\u{7}\u{1B}]9;4;0\u{7}\u{1B}]9;done\u{7}", ""),
        ("\u{1B}]8;;http://h\u{7}", "\u{1B}]8;;\u{1B}\\"),
        ("\u{1B}[2h", "\u{1B}[2l"), ("\u{1B}[12l", "\u{1B}[12h"), ("\u{1B}[?1007h", "\u{1B}[?1007l"),
        ("\u{1B}[?40h\u{1B}[?3h", "\u{1B}[?3l\u{1B}[?40l"), ("\u{1B}[?8l", "\u{1B}[?8h"), ("\u{1B}%@", "\u{1B}%G"),
        ("\u{1B}%@\u{1B}c", "\u{1B}%G"), ("\u{1B}%@\u{1B}%G", ""), ("\u{1B}[?42h", "\u{1B}[?42l\u{1B}%G"),
        ("\u{1B}[?42h\u{1B}[?42l", ""), ("\u{1B}%@\u{1B}[?42h\u{1B}[?42l", "\u{1B}%G"),
        ("\u{1B} G", "\u{1B} F"),
        ("\u{1B}[1\"q", "\u{1B}[0\"q"), ("\u{1B})0\u{0E}", "\u{0F}\u{1B})B"), ("\u{1B}n", "\u{0F}"),
        ("\u{1B}[>1;3m", "\u{1B}[>1m"), ("\u{1B}[>4;1f", "\u{1B}[>4f"), ("\u{1B}[>4;1f\u{1B}[>4f", ""),
        ("\u{1B}[1;2'z", "\u{1B}[0'z"), ("\u{1B}[2'z\u{1B}['z", ""),
        ("\u{1B}[?5522h", "\u{1B}[?5522l"), ("\u{1B}[?7727;7728;7787h", "\u{1B}[?7727l\u{1B}[?7728l\u{1B}[?7787l"),
        ("\u{1B}[2*x\u{1B}[!p", "\u{1B}[0*x"), ("\u{1B}[2*x\u{1B}[*x", ""), ("\u{1B}[4h\u{1B}[61\"p", ""),
        ("\u{1B}[62\"p", "\u{1B} F"), ("\u{1B} G\u{1B}[64;1\"p", ""),
        ("\u{1B}[?7786l", "\u{1B}[?7786h"),
        ("\u{1B}H", "\u{1B}7\u{1B}[3g\u{1B}[9G\u{1B}H\u{1B}[17G\u{1B}H\u{1B}8\u{1B}[?5W"), ("\u{1B}[3g\u{1B}[?5W", ""),
    ])
    func `resets exactly the modes that a program left changed`(_ output: String, _ reset: String) {
        #expect(Self.modes(after: output).resetting(columns: 20) == reset)
        #expect(Self.modes(after: output + reset) == TerminalModes())
    }

    @Test(arguments: 0..<60)
    func `the resetting sequences undo every change`(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let output = EscapeSample.bytes(1_500, using: &random) + Array("\u{1B}\\".utf8)
        let modes = Self.modes(after: output)
        #expect(Self.modes(after: output + Array(modes.resetting().utf8)) == TerminalModes())
    }

    private static func modes(after text: String) -> TerminalModes {
        modes(after: Array(text.utf8))
    }

    private static func modes(after bytes: [UInt8]) -> TerminalModes {
        var scanner = EscapeScanner()
        var modes = TerminalModes()
        scanner.scan(bytes) { modes.apply($0) }
        return modes
    }
}
