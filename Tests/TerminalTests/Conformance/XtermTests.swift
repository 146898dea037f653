import Core
import Terminal
import Testing

/// Screens shown by xterm: fixtures of these tests and, if available, of vt100-parser and xterm.js.
struct XtermTests {
    /// Fixtures whose screen is not 80x25, or which contradict xterm's documentation.
    static let incomparable: Set<String> = [
        "t0055-EL", "t0084-CBT", "t0101-NLM", "t0103-reverse_wrap", "t0504-vim",
        // From an xterm whose DECRC did not restore a pending wrap.
        "t0060-DECSC", "t0061-CSI_s",
    ]

    static let fixtures = Fixture.all(own: "xterm", others: "xterm")
        .filter { $0.name.hasSuffix(".in") }
        .map { $0.named(String($0.name.dropLast(3))) }
        .filter { !incomparable.contains($0.name) }

    @Test(arguments: fixtures)
    func `a screen matches xterm`(_ fixture: Fixture) throws {
        let input = try fixture.bytes(".in")
        let expected = String(decoding: try fixture.bytes(".text"), as: UTF8.self)
        var emulator = Emulator(size: try TerminalSize(parsing: "80x25"))
        emulator.feed(input.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] })
        let shown = TextRenderer.render(emulator.screen())
        #expect(Self.lines(shown) == Self.lines(expected))
    }

    private static func lines(_ text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
        while lines.last == "" { lines.removeLast() }
        return lines
    }
}
