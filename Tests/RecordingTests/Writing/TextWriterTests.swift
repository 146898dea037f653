import Core
import Recording
import Testing

struct TextWriterTests {
    private static func text(_ output: [String]) throws -> String {
        let size = try #require(TerminalSize(columns: 20, rows: 4))
        var writer = TextWriter(RecordingHeader(size: size))
        for (index, text) in output.enumerated() {
            let time = RecordingTime(microseconds: Int64(index))
            writer.write(RecordingEvent(time: time, .output(Array(text.utf8))))
        }
        writer.finish()
        return String(decoding: writer.take(), as: UTF8.self)
    }

    @Test func `contains every line once, whether it is on the screen or has scrolled off`() throws {
        let lines = (1...9000).map { "line \($0)" }
        #expect(try Self.text(lines.map { $0 + "\r\n" }) == lines.joined(separator: "\n") + "\n")
    }

    @Test func `omits trailing blanks`() throws {
        #expect(try Self.text((1...9).map { "\($0)  \u{1B}[41m \r\n" }) == (1...9).map { "\($0)\n" }.joined())
    }

    @Test func `a wrapped line is one line`() throws {
        let long = String(repeating: "0123456789", count: 13)
        #expect(try Self.text([long, "\r\nnext\r\n"]) == long + "\nnext\n")
    }

    @Test func `a smaller screen loses no lines, and a wider one joins them`() throws {
        let sizes = [(20, 4), (7, 2), (30, 3)].compactMap { TerminalSize(columns: $0.0, rows: $0.1) }
        var writer = TextWriter(RecordingHeader(size: sizes[0]))
        var number = 0
        for size in sizes {
            writer.write(RecordingEvent(time: .start, .resize(size)))
            for _ in 0..<3 {
                number += 1
                writer.write(RecordingEvent(time: .start, .output(Array("a line of text \(number)\r\n".utf8))))
            }
        }
        writer.finish()
        let expected = (1...9).map { "a line of text \($0)\n" }.joined()
        #expect(String(decoding: writer.take(), as: UTF8.self) == expected)
    }

    @Test func `contains the last alternate screen`() throws {
        let output = [
            "one\r\n", "\u{1B}[?1049h\u{1B}[H\u{1B}[2Jfirst", "\u{1B}[Hlast ", "\u{1B}[2J\u{1B}[?1049l", "two\r\n",
        ]
        #expect(try Self.text(output) == "last\none\ntwo\n")
    }
}
