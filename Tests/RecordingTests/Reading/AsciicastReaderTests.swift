import Core
import Recording
import Testing

struct AsciicastReaderTests {
    static let v2 = #"{"version": 2, "width": 80, "height": 24}"# + "\n"
    static let v3 = #"{"version": 3, "term": {"cols": 80, "rows": 24}}"# + "\n"

    @Test func `times in v2 count from the start, in v3 from the previous event`() throws {
        let events = #"[1.5, "o", "a"]"# + "\n" + #"[2, "m", ""]"# + "\n"
        #expect(try ReadRecording(Self.v2 + events)?.texts == ["1.5 o a", "2.0 m "])
        #expect(try ReadRecording(Self.v3 + events)?.texts == ["1.5 o a", "3.5 m "])
    }

    @Test func `skips comments and blank lines, and does not require a line end on the last line`() throws {
        let events = "# one\n\r\n" + #"[1, "o", "a"]"# + "\r\n# [1, \"o\", \"b\"]\n\n" + #" [ 1e0 , "x" , "3" ] "#
        let recording = try ReadRecording(Self.v3 + events)
        #expect(recording?.texts == ["1.0 o a", "2.0 x 3"])
        #expect(recording?.events.last?.content == .exit(3))
    }

    @Test func `decodes escapes`() throws {
        let line = #"[0, "o", "\"\\\/\b\f\n\r\t\u001b\u00e9\u20AC\ud83d\ude00\ud83dx\udc00"]"#
        let data = try ReadRecording(Self.v2 + line)?.events.first?.data
        #expect(data == Array("\"\\/\u{8}\u{C}\n\r\t\u{1B}é€😀\u{FFFD}x\u{FFFD}".utf8))
    }

    @Test(arguments: [
        ("0", 0), ("0.0608256785315462", 60_826), ("0.0000004", 0), ("0.0000005", 1), ("1.9999999", 2_000_000),
        ("12e-1", 1_200_000), ("-0.0", 0), ("9999999999.999999", 9_999_999_999_999_999),
    ])
    func `rounds a time to microseconds`(_ text: String, _ microseconds: Int64) throws {
        let event = try ReadRecording(Self.v2 + "[\(text), \"o\", \"\"]")?.events.first
        #expect(event?.time.microseconds == microseconds)
    }

    @Test(arguments: [
        ("lol!", "line 2: expected a value"),
        ("{}", "line 2: an event must be an array"),
        (#"["1", "o", ""]"#, "line 2: the time is not a number"),
        (#"[-1, "o", ""]"#, "line 2: the time is negative"),
        (#"[1e99, "o", ""]"#, "line 2: the time is out of range"),
        (#"[1, 5, ""]"#, "line 2: the code is a number instead of a string"),
        (#"[1, "o", true]"#, "line 2: the data is a boolean instead of a string"),
        (#"[1, "o", "", ""]"#, "line 2: an event must have 3 elements, not 4"),
        (#"[1, "x", "one"]"#, "line 2: 'one' is not an exit status"),
        (#"[1, "o", "\x"]"#, "line 2: invalid escape in a string"),
    ])
    func `reports a line that is not an event with its line number`(_ line: String, _ message: String) {
        for header in [Self.v2, Self.v3] {
            let error = readError(header + line + "\n")
            #expect(error?.code == .dataInvalid)
            #expect(error?.message == message)
        }
    }

    @Test func `a lenient reader skips an invalid line but keeps its interval`() throws {
        let events = """
            [1, "o", "a"]
            [1, 5, "b"]
            lol!
            [1, "o", "b", 2]
            [1, "o", "c"]
            [7, "o"
            """
        let recording = try ReadRecording(Self.v3 + events, .lenient)
        #expect(recording?.texts == ["1.0 o a", "4.0 o c"])
        #expect(
            recording?.notes == [
                "line 3: the code is a number instead of a string", "line 4: expected a value",
                "line 5: an event must have 3 elements, not 4", "line 7: the recording ends in the middle of the line",
            ]
        )
    }

    @Test func `skips a resize with an invalid size, but keeps its interval`() throws {
        let events = #"[1.234, "o", "a"]"# + "\n" + #"[1.0, "r", "-1x0"]"# + "\n" + #"[0.5, "o", "b"]"# + "\n"
        let recording = try ReadRecording(Self.v3 + events)
        #expect(recording?.texts == ["1.234 o a", "2.734 o b"])
        #expect(recording?.notes == ["line 3: '-1x0' is not a terminal size"])
    }

    @Test func `times in v2 never decrease`() throws {
        let events = #"[5, "o", "a"]"# + "\n" + #"[3, "o", "b"]"# + "\n" + #"[6, "o", "c"]"# + "\n"
        let recording = try ReadRecording(Self.v2 + events)
        #expect(recording?.texts == ["5.0 o a", "5.0 o b", "6.0 o c"])
        #expect(recording?.notes == ["line 3: the time is earlier than that of the preceding event"])
    }

    @Test(arguments: [RecordingPolicy.strict, .lenient])
    func `skips and reports an incomplete last line`(_ policy: RecordingPolicy) throws {
        let whole = #"[1, "o", "a"]"# + "\n" + #"[1, "o", "b"]"#
        for length in 15...26 {
            let recording = try ReadRecording(Self.v3 + whole.prefix(length), policy)
            #expect(recording?.texts == ["1.0 o a"])
            #expect(recording?.notes == ["line 3: the recording ends in the middle of the line"])
        }
    }

    @Test(arguments: ["{", "garb", "[1.0, \"o\", 5]", "\"", "\u{0}\u{0}", "[1, \"o\", \"b\"] x"])
    func `skips and reports an invalid last line without a line end`(_ line: String) throws {
        let recording = try ReadRecording(Self.v3 + #"[1, "o", "a"]"# + "\n" + line)
        #expect(recording?.texts == ["1.0 o a"])
        #expect(recording?.notes == ["line 3: the recording ends in the middle of the line"])
        #expect(readError(Self.v3 + line + "\n") != nil)
    }

    @Test(arguments: [1, 2, 3, 5, 1 << 16])
    func `skips a byte order mark`(_ piece: Int) throws {
        let events = #"[1, "o", "a"]"# + "\n"
        #expect(try ReadRecording("\u{FEFF}" + Self.v3 + events, piece: piece)?.texts == ["1.0 o a"])
        #expect(try ReadRecording("\u{FEFF}" + Self.v2 + events, piece: piece)?.texts == ["1.0 o a"])
        let first = #"{"version": 1, "width": 9, "height": 3, "stdout": [[1, "a"]]}"#
        #expect(try ReadRecording("\u{FEFF}" + first, piece: piece)?.texts == ["1.0 o a"])
    }

    @Test func `reports skipped comments`() throws {
        let events = "# one\n" + #"[1, "o", "a"]"# + "\n#two\n# three"
        #expect(try ReadRecording(Self.v3 + events)?.notes == ["skipped 3 comments"])
        #expect(try ReadRecording(Self.v3 + "# one\n")?.notes == ["skipped a comment"])
        #expect(try ReadRecording(Self.v2 + #"[1, "o", "a"]"#)?.notes == [])
    }

    @Test func `joins a surrogate pair split over two events`() throws {
        let split = #"[1, "o", "a\ud83d"]"# + "\n" + #"[1, "i", "x"]"# + "\n" + #"[1, "o", "\ude00b"]"#
        #expect(try ReadRecording(Self.v3 + split)?.texts == ["1.0 o a", "2.0 i x", "3.0 o 😀b"])
        let apart = #"[1, "o", "a\ud83d" ]"# + "\n" + #"[1, "o", "b\ud83d"]"#
        #expect(try ReadRecording(Self.v3 + apart)?.texts == ["1.0 o a", "2.0 o \u{FFFD}b", "2.0 o \u{FFFD}"])
        let written = #"[1, "o", "\\ud83d"]"# + "\n" + #"[1, "o", "\ude00"]"#
        #expect(try ReadRecording(Self.v3 + written)?.texts == [#"1.0 o \ud83d"#, "2.0 o \u{FFFD}"])
    }

    @Test func `invalid UTF-8 is an error, or replaced with U+FFFD by a lenient reader`() throws {
        let bytes = Array((Self.v2 + #"[1, "o", "a"#).utf8) + [0xFF] + Array(#"b"]"#.utf8) + [0x0A]
        #expect(throws: VTError(.dataInvalid, "line 2: a string is not valid UTF-8")) { try ReadRecording(bytes) }
        let recording = try ReadRecording(bytes, .lenient)
        #expect(recording?.texts == ["1.0 o a\u{FFFD}b"])
        #expect(recording?.notes == ["line 2: replaced invalid UTF-8 with U+FFFD"])
    }

    @Test func `a line beyond the limit is an error, or skipped by a lenient reader`() throws {
        let long = #"[1, "o", ""# + String(repeating: "x", count: AsciicastReader.lineLimit) + "\"]\n"
        let text = Self.v3 + long + #"[1, "o", "a"]"# + "\n"
        #expect(readError(text)?.message == "line 2: the line is longer than 16 MiB")
        for piece in [1 << 16, 64 << 20] {
            let recording = try ReadRecording(Array(text.utf8), .lenient, piece: piece)
            #expect(recording?.texts == ["2.0 o a"])
            #expect(recording?.notes == ["line 2: the line is longer than 16 MiB"])
        }
    }

    @Test func `reads a line up to the limit`() throws {
        let start = #"[1, "o", ""#
        let text = start + String(repeating: "x", count: AsciicastReader.lineLimit - start.utf8.count - 2) + "\"]\n"
        #expect(try ReadRecording(Self.v3 + text)?.events.first?.data.count == AsciicastReader.lineLimit - 12)
    }

    @Test(arguments: [
        ("", "line 1: the recording is empty"),
        ("hello\n", "line 1: not a recording: expected a JSON header"),
        (#"{"width": 80, "height": 24}"#, "line 1: the header has no 'version'"),
        (#"{"version": "2"}"#, "line 1: 'version' is not an integer"),
        (#"{"version": 4}"#, "line 1: unsupported format version 4"),
        (#"{"version": 2, "width": 80}"#, "line 1: the header lacks 'width' or 'height'"),
        (#"{"version": 2, "width": 80, "height": 0}"#, "line 1: invalid terminal size 80x0"),
        (#"{"version": 3, "width": 80, "height": 24}"#, "line 1: the header lacks 'cols' or 'rows' in 'term'"),
        (#"{"version": 2, "width": 80, "width": 80}"#, "line 1: duplicate member 'width'"),
    ])
    func `an invalid header is an error`(_ text: String, _ message: String) {
        #expect(readError(text)?.message == message)
        #expect(readError(text, .lenient)?.message == message)
    }

    @Test(arguments: [
        "{}", ##"{"fg": "#ffffff"}"##, ##"{"fg": "#ffffff", "bg": "#000000"}"##,
        ##"{"fg": "#ffffff", "bg": null, "palette": "#000000"}"##, #"{"name": "dark"}"#,
    ])
    func `an incomplete theme is ignored`(_ theme: String) throws {
        for header in [
            #"{"version": 2, "width": 80, "height": 24, "theme": \#(theme)}"#,
            #"{"version": 3, "term": {"cols": 80, "rows": 24, "theme": \#(theme)}}"#,
        ] {
            let recording = try #require(try ReadRecording(header))
            #expect(recording.header.theme == nil)
            #expect(recording.notes.isEmpty)
        }
    }

    @Test func `an invalid theme is an error, or skipped by a lenient reader`() throws {
        let theme = ##"{"fg": "white", "bg": "#000000", "palette": ""}"##
        let text = #"{"version": 2, "width": 80, "height": 24, "theme": \#(theme), "title": "t"}"#
        let message = "line 1: 'theme' needs 'fg' and 'bg' as '#rrggbb', and a palette of 8 or 16 colors"
        #expect(readError(text)?.message == message)
        let recording = try ReadRecording(text, .lenient)
        #expect(recording?.notes == [message])
        #expect(recording?.header.theme == nil)
        #expect(recording?.header.title == "t")
    }
}
