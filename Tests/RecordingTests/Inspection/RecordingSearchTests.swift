import Core
import CoreTestSupport
import Recording
import TestSupport
import Testing

struct RecordingSearchTests {
    /// Searches a recording with an event every tenth of a second; a match is `TIME:ROW:LINE`.
    private func matches(
        _ pattern: String,
        _ output: [String],
        columns: Int = 40,
        rows: Int = 5
    ) throws -> [String] {
        try matches(pattern, events: output.map { ("o", $0) }, columns: columns, rows: rows)
    }

    private func matches(
        _ pattern: String,
        events: [(String, String)],
        columns: Int = 40,
        rows: Int = 5
    ) throws -> [String] {
        let scratch = try ScratchDirectory()
        let path = try scratch.write(CastSamples.cast(events, columns: columns, rows: rows), to: "a.cast")
        var found: [String] = []
        try RecordingSearch(LinePattern(pattern)).search(RecordingFile(opening: path, diagnostics: RecordedNotes())) {
            match in
            found.append("\(match.time.text()):\(match.row.map(String.init) ?? "-"):\(match.line)")
            return true
        }
        return found
    }

    @Test func `typed text matches once it is complete, at the time of its last change`() throws {
        #expect(try matches("ls", ["$ ", "l", "s", "", "", "\r\nfile\r\n"]) == ["0.3:0:$ ls"])
    }

    @Test func `a line that is never completed matches at the end`() throws {
        #expect(try matches("word", ["Password: ", ""]) == ["0.1:0:Password:"])
    }

    @Test func `colors and cursor movements do not hide text`() throws {
        let output = ["\u{1B}[31mER\u{1B}[1mR", "OR\u{1B}[m\r\n", "\u{1B}[4;3Hb\u{1B}[4;1Ha\u{1B}[4;5Hc"]
        #expect(try matches("ERROR|a b c", output) == ["0.2:0:ERROR", "0.3:3:a b c"])
    }

    @Test func `wrapped rows form one line`() throws {
        #expect(try matches("^a+b+$", ["aaaaaabbbbbb\r\n"], columns: 8) == ["0.1:0:aaaaaabbbbbb"])
    }

    @Test(arguments: ["\u{1B}[H", "\u{1B}[H\u{1B}[2J", "\u{1B}[2J\u{1B}[H"])
    func `a line that is repainted unchanged matches once`(_ start: String) throws {
        let frame = start + "title\r\n\u{1B}[Kstatus: ok\r\n"
        #expect(try matches("status|title", [frame, frame, frame]) == ["0.1:0:title", "0.1:1:status: ok"])
    }

    @Test func `a line that disappears and reappears matches again`() throws {
        let output = ["alarm\r\n", "\u{1B}[2J\u{1B}[H", "alarm\r\n"]
        #expect(try matches("alarm", output) == ["0.1:0:alarm", "0.3:0:alarm"])
    }

    @Test func `a line that changes and changes back matches each time`() throws {
        let output = ["\u{1B}[Hup  \r\n", "\u{1B}[Hdown\r\n", "\u{1B}[Hup  \r\n"]
        #expect(try matches("up|down", output) == ["0.1:0:up", "0.2:0:down", "0.3:0:up"])
    }

    @Test func `each of several equal lines matches, even when the screen scrolls`() throws {
        let output = (0..<9).map { _ in "retry\r\n" }
        let found = try matches("retry", output, rows: 4)
        #expect(found.count == 9)
        #expect(found.last == "0.9:2:retry")
    }

    @Test func `a line that has disappeared by the end of its event has no row`() throws {
        let burst = "needle\r\n" + String(repeating: "hay\r\n", count: 20)
        #expect(try matches("needle", [burst]) == ["0.1:-:needle"])
    }

    @Test func `also searches the alternate screen`() throws {
        let output = ["\u{1B}[?1049h\u{1B}[2;1Hinside", "\u{1B}[?1049l", "after"]
        #expect(try matches("inside|after", output) == ["0.1:1:inside", "0.3:0:after"])
    }

    @Test func `lines do not match again after a resize`() throws {
        let events = [("o", "one\r\n"), ("r", "60x10"), ("o", "two\r\n")]
        #expect(try matches("one|two", events: events) == ["0.1:0:one", "0.3:1:two"])
    }

    @Test func `markers and input do not match`() throws {
        #expect(try matches("secret", events: [("i", "secret"), ("m", "secret"), ("o", "x\r\n")]).isEmpty)
    }

    @Test(arguments: CastSamples.real)
    func `finds every line that a real recording shows for some time`(_ path: String) throws {
        let (header, events) = try CastSamples.read(CastSamples.bytes(path))
        var found: Set<String> = []
        try RecordingSearch(LinePattern("")).search(RecordingFile(opening: path, diagnostics: RecordedNotes())) {
            match in
            found.insert(match.line)
            return true
        }
        var watch = ScreenLines(header.size)
        for event in events { watch.take(event) }
        #expect(watch.lines.subtracting(found).isEmpty)
    }
}
