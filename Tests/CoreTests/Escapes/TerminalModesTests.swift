import Core
import Testing

struct TerminalModesTests {
    @Test func `a shell's output changes nothing`() {
        let modes = Self.modes(
            after: "\u{1B}[01;32muser\u{1B}[0m$ \u{1B}[Kls\r\n\u{1B}]0;~\u{07}\u{1B}[?2004h\u{1B}[?2004l"
        )
        #expect(modes == TerminalModes())
        #expect(modes.resetting.isEmpty && modes.restoring.isEmpty)
    }

    @Test func `what an editor sets is set back`() {
        let modes = Self.modes(
            after: "\u{1B}[?1049h\u{1B}[>4;2m\u{1B}[?1h\u{1B}=\u{1B}[?2004h\u{1B}[?1006;1002h\u{1B}[?25l\u{1B}[1;24r"
        )
        #expect(
            modes.resetting == "\u{1B}>\u{1B}[>4m\u{1B}7\u{1B}[r\u{1B}8\u{1B}[?1l\u{1B}[?25h\u{1B}[?1002l"
                + "\u{1B}[?1006l\u{1B}[?2004l\u{1B}[?1049l"
        )
    }

    @Test func `the keyboard of each screen is set back on its own`() {
        let modes = Self.modes(after: "\u{1B}[>1u\u{1B}[?1049h\u{1B}[>3u\u{1B}[>5u")
        #expect(modes.resetting == "\u{1B}[<2u\u{1B}[?1049l\u{1B}[<1u")
        #expect(modes.restoring == "\u{1B}[>1u\u{1B}[?1049h\u{1B}[>3u\u{1B}[>5u")
    }

    @Test(arguments: [
        ("\u{1B}[1;4;38;5;9m\u{1B}[22m", "0;4;38;5;9"), ("\u{1B}[38:2::1:2:3m", "0;38;2;1;2;3"),
        ("\u{1B}[48;2;1;2;3;7m", "0;7;48;2;1;2;3"), ("\u{1B}[4:3;58;5;1m", "0;4:3;58;5;1"),
        ("\u{1B}[31;91m", "0;38;5;9"), ("\u{1B}[31;0;3m", "0;3"), ("\u{1B}[41;m", "0"),
        ("\u{1B}[4:3:9;1m", "0;1;4:3"), ("\u{1B}[38;2;1m", "0"), ("\u{1B}[38;5m", "0"),
        ("\u{1B}[48:5:300m", "0;48;5;44"),
        ("\u{1B}[1;2;3;5;7;8;9;53m\u{1B}[22;25;28m", "0;3;7;9;53"), ("\u{1B}[38:2:1:2:3;9m", "0;9;38;2;1;2;3"),
    ])
    func `looks of characters are kept`(_ output: String, _ text: String) {
        #expect(Self.modes(after: output).rendition.text == text)
    }

    @Test(arguments: 0..<60)
    func `restoring gives the same modes, resetting none`(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let modes = Self.modes(after: EscapeSample.bytes(1_500, using: &random) + Array("\u{1B}\\".utf8))
        #expect(Self.modes(after: modes.restoring) == modes)
        #expect(Self.modes(after: modes.restoring + modes.resetting) == TerminalModes())
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
