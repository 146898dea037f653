import Core
import Recording
import TestSupport
import Testing

struct TypescriptReaderTests {
    private static let first =
        "Script started on 2026-11-21 10:14:15+01:00 [COMMAND=\"echo \"x\"\" TERM=\"xterm\" TTY=\"/dev/pts/0\" "
        + "COLUMNS=\"90\" LINES=\"30\"]\n"
    private static let last = "\nScript done on 2026-11-21 10:14:15+01:00 [COMMAND_EXIT_CODE=\"3\"]\n"

    struct Reading: Equatable {
        var header: RecordingHeader?
        var texts: [String] = []
        var notes: [String] = []
    }

    static func read(
        _ typescript: String,
        _ timing: String,
        _ policy: RecordingPolicy = .strict,
        piece: Int = 4096
    ) throws(VTError) -> Reading {
        var reader = TypescriptReader(policy)
        var reading = Reading()
        var rest = (typescript: Array(typescript.utf8), timing: Array(timing.utf8))
        while true {
            if let item = try reader.next() {
                switch item {
                case .header(let header): reading.header = header
                case .event(let event):
                    let data = String(decoding: event.data, as: UTF8.self)
                    reading.texts.append("\(event.time.text()) \(event.code) \(data)")
                }
                continue
            }
            switch reader.need {
            case .timing where rest.timing.isEmpty: reader.finishTiming()
            case .timing:
                reader.append(timing: Array(rest.timing.prefix(piece)))
                rest.timing.removeFirst(min(piece, rest.timing.count))
            case .typescript where rest.typescript.isEmpty: reader.finishTypescript()
            case .typescript:
                reader.append(typescript: Array(rest.typescript.prefix(piece)))
                rest.typescript.removeFirst(min(piece, rest.typescript.count))
            case nil:
                reading.notes = reader.notes.kept.map(\.text)
                return reading
            }
        }
    }

    @Test func `reads times from a classic timing file`() throws {
        let reading = try Self.read(Self.first + "hi\r\n\u{E9}bye" + Self.last, "0.5 5\n1.25 4\n")
        #expect(reading.texts == ["0.5 o hi\r\n", "1.75 o ébye", "1.75 x 3"])
        let header = try #require(reading.header)
        #expect(header.size == TerminalSize(columns: 90, rows: 30))
        #expect(header.command == "echo \"x\"")
        #expect(header.terminalType == "xterm")
        #expect(header.timestamp == 1_795_252_455)
    }

    @Test(arguments: [1, 3, 4096])
    func `reads metadata from an advanced timing file`(_ piece: Int) throws {
        let timing = """
            H 0.000000 START_TIME 2026-11-21 09:14:15+00:00
            H 0.000000 COMMAND read x
            H 0.000000 COLUMNS 100
            H 0.000000 LINES 20
            H 0.000000 OUTPUT_LOG a
            H 0.000000 INPUT_LOG a
            I 0.5 4
            O 0.25 3
            S 0.25 SIGWINCH ROWS=30 COLS=90
            S 0.5 SIGUSR1
            O 0.5 2
            H 0.000000 DURATION 2.0
            H 0.000000 EXIT_CODE 7

            """
        let first = "Script started on 2026-11-21 09:14:15+00:00 [<not executed on terminal>]\n"
        let reading = try Self.read(first + "abc\rxyz12" + Self.last, timing, piece: piece)
        var expected = ["0.5 i abc\r", "0.75 o xyz", "1.0 r 90x30", "2.0 o 12", "2.0 x 7"]
        if piece == 4096 { #expect(reading.texts == expected) }
        expected = reading.texts.filter { !$0.contains(" i ") && !$0.contains(" o ") }
        #expect(expected == ["1.0 r 90x30", "2.0 x 7"])
        #expect(reading.header?.command == "read x")
        #expect(reading.header?.size == TerminalSize(columns: 100, rows: 20))
        #expect(reading.header?.timestamp == 1_795_252_455)
    }

    @Test func `skips input that was logged to another file`() throws {
        let timing = "H 0.0 OUTPUT_LOG a\nH 0.0 INPUT_LOG b\nI 1 4\nO 1 2\n"
        #expect(try Self.read(Self.first + "ab" + Self.last, timing).texts == ["2.0 o ab", "2.0 x 3"])
    }

    @Test(arguments: [
        ("0.5 2\nlol\n", "line 2 of the timing file: not a valid entry"),
        ("0.5 2\n0.5 -1\n", "line 2 of the timing file: not a valid entry"),
        ("0.5 2000\n", "line 1 of the timing file: the typescript ends before this entry"),
    ])
    func `reports an error in a timing file with its line number`(_ timing: String, _ message: String) throws {
        let error = #expect(throws: VTError.self) { try Self.read(Self.first + "abcd", timing) }
        #expect(error?.code == .dataInvalid)
        #expect(error?.message == message)
        #expect(try Self.read(Self.first + "abcd", timing, .lenient).texts.first?.hasPrefix("0.5 o ab") == true)
    }

    @Test func `rejects a file that script(1) did not write`() {
        #expect(throws: VTError(.dataInvalid, "the typescript lacks the first line that script(1) writes")) {
            try Self.read("hello\n", "0.5 2\n")
        }
    }

    @Test(arguments: ["classic", "advanced"])
    func `reads the output of script(1)`(_ format: String) async throws {
        let scratch = try ScratchDirectory()
        let (typescript, timing) = (scratch.path("out"), scratch.path("times"))
        let words = ["-q", "-m", format, "-T", timing, "-O", typescript, "-c", "printf 'a\\303\\244'; exit 4"]
        _ = try await ProgramCall("script", words).run()
        let text = try await ProgramCall("cat", [typescript]).check()
        let times = try await ProgramCall("cat", [timing]).check()
        let reading = try Self.read(text, times)
        #expect(reading.texts.map { $0.drop { $0 != " " } } == [" o aä", " x 4"])
        #expect(reading.header?.command == "printf 'a\\303\\244'; exit 4")
        #expect(reading.header?.timestamp != nil)
    }
}
