import Core
@testable import Services
import Testing

@Suite struct EchoFilterTests {
    private static func filter(_ sent: String, after past: String = "", reportsCommands: Bool = false) throws
        -> EchoFilter
    {
        EchoFilter(
            Array(sent.utf8),
            after: Array(past.utf8),
            at: 100,
            size: try TerminalSize(parsing: "20x5"),
            reportsCommands: reportsCommands
        )
    }

    /// What a filter passes; `|` separates pieces of the output.
    private static func passed(_ output: String, by filter: inout EchoFilter) -> String {
        var (text, position) = ("", UInt64(100))
        for part in output.split(separator: "|", omittingEmptySubsequences: false) {
            for piece in filter.pass(Array(part.utf8), at: position, isLast: true) {
                text += String(decoding: piece.bytes, as: UTF8.self)
            }
            position += UInt64(part.utf8.count)
        }
        return text
    }

    @Test(
        arguments: [
            // The terminal echoes the line; an editor echoes it piece by piece, or redraws the prompt.
            ("a b\r", "", "a b\r\nout\r\n", "out\r\n"),
            ("ab\r", "$ ", "a|\u{8}\u{1B}[1mab\u{1B}[m|\r\nab\r\n", "ab\r\n"),
            ("ab\r", "$ ", "\r$ a|\r$ ab|\r\nout", "out"),
            // The line is wrapped at the width of the terminal, which depends on the prompt.
            ("0123456789abcdefghij\r", "$ ", "0123456789abcdefgh|i \rij|\r\nout", "out"),
            // An editor writes a newline where it wraps the line.
            ("0123456789abcdefghij\r", "$ ", "0123456789abcdefgh\r\n|ij\r\nout", "out"),
            // Output before the echo, and between the echoes of two lines.
            ("ab\ncd\n", "", "late\r\nab\r\n1\r\n$ cd\r\n2\r\n", "late\r\n1\r\n2\r\n"),
            // Without Enter; what follows on the same line is output.
            ("y", "Go on? ", "y|es", "es"), ("y", "", "nay", ""), ("y", "", "nay\r\n", "nay\r\n"),
            // Only Enter.
            ("\r", "> ", "\r\nout", "out"), ("\r", "> ", "out\r\n", "out\r\n"),
            // No echo.
            ("", "", "out", "out"), ("ab\r", "", "x\r\ny", "x\r\ny"),
            // A program that places the cursor in another row has not begun an echo there that it completes later.
            (
                "a\rtwo\u{1B}:w\r", "", "a\r\ntwo\u{1B}[5;1Hsaved|\u{1B}[2;|3H|", "two\u{1B}[5;1Hsaved\u{1B}[2;3H"
            ),
            ("dd", "bad", "\u{1B}[5;1Hgone\u{1B}[1;3H", "\u{1B}[5;1Hgone\u{1B}[1;3H"),
            ("ab\r", "$ ", "a\u{1B}[1;4Hb\r\nout", "out"),
            // A bracketed paste.
            ("\u{1B}[200~ab\u{1B}[201~\r", "", "\u{1B}[7mab\u{1B}[m\r\nout", "out"),
        ] as [(sent: String, past: String, output: String, rest: String)]
    )
    func `the echo of input is not output`(_ test: (sent: String, past: String, output: String, rest: String)) throws {
        var filter = try Self.filter(test.sent, after: test.past)
        #expect(Self.passed(test.output, by: &filter) == test.rest)
    }

    @Test func `at a prompt, output begins where the shell reports a command`() throws {
        var filter = try Self.filter("ab\r", after: "$ ", reportsCommands: true)
        #expect(filter.apply(ShellMark(.input, at: 100, turn: 1)).isEmpty)
        #expect(Self.passed("ab ghost\r\n", by: &filter) == "")
        #expect(filter.apply(ShellMark(.command, at: 110, turn: 2)).isEmpty)
        #expect(filter.outputStart == 110)
        #expect(filter.pass(Array("ab\r\n$ ".utf8), at: 110, isLast: true).map(\.bytes) == [Array("ab\r\n$ ".utf8)])
        _ = filter.apply(ShellMark(.end(status: 0), at: 114, turn: 2))
        #expect(filter.commandEnd == 114)
        _ = filter.apply(ShellMark(.input, at: 116, turn: 2))
        #expect(filter.pass(Array("ab".utf8), at: 116, isLast: true).isEmpty)
    }
}
