import Core
import Recording
import Testing

struct VersionOneTests {
    @Test(arguments: [1, 7, 65_536])
    func `reads a document on several lines, with its members in any order`(_ piece: Int) throws {
        let text = """
            {
              "stdout": [
                [0.5, "a\\u001b"],
                [1, "b"]
              ],
              "height": 24, "width": 80,
              "command": null,
              "other": {"a":
                1},
              "env": {"TERM": "xterm", "SHELL": null},
              "version": 1
            }

            """
        let recording = try #require(try ReadRecording(Array(text.utf8), piece: piece))
        #expect(recording.texts == ["0.5 o a\u{1B}", "1.5 o b"])
        #expect(recording.header.version == .v1)
        #expect(recording.header.size == .standard)
        #expect(recording.header.command == nil)
        #expect(recording.header.environment?.map(\.name) == ["TERM", "SHELL"])
        #expect(recording.header.environment?.last?.value == nil)
        #expect(recording.header.extras == [ExtraMember(name: "other", text: Array(#""other": {"a":     1}"#.utf8))])
    }

    @Test func `reads a document on one line`() throws {
        let text = #"{"version":1,"width":80,"height":24,"duration":2.5,"stdout":[[1,"a"],[1.5,"b"]]}"#
        #expect(try ReadRecording(text)?.texts == ["1.0 o a", "2.5 o b"])
        #expect(try ReadRecording(text)?.header.duration == 2.5)
    }

    @Test func `a document may be longer than the line limit`() throws {
        let event = #"[0.001,""# + String(repeating: "x", count: 1 << 20) + #""]"#
        let events = Array(repeating: event, count: 20).joined(separator: ",")
        let head = #"{"version":1,"width":80,"height":24,"#
        #expect(try ReadRecording(head + "\"stdout\":[\(events)]}")?.events.count == 20)
    }

    @Test(arguments: [
        ("{\n\"version\": 1,\n\"stdout\": [[1, true]]}", "line 3: the data is a boolean instead of a string"),
        ("{\n\"version\": 1,\n\"stdout\": [[1, \"\", 2]]}", "line 3: an event must have 2 elements, not 3"),
        ("{\n\"version\": 1,\n\"stdout\": [\n[-1, \"\"]]}", "line 4: the time is negative"),
        ("{\n\"version\": 1,\n\"width\": 8\n\"stdout\": []}", "line 4: expected ',' or '}'"),
        ("{\n\"version\": 1, \"width\": 8, \"height\": 4}", "line 1: the recording has no 'stdout'"),
        ("{\"version\": 1,\n\"stdout\": [],\n\"stdout\": []}", "line 3: duplicate member 'stdout'"),
        ("{\n\"version\": 1, \"version\": 1}", "line 2: duplicate member 'version'"),
        ("{\n\"version\": 1, \"height\": 4}", "line 1: the header lacks 'width' or 'height'"),
        ("{\n\"version\": 2}", "line 2: only a version 1 header can span several lines"),
        ("{\n\"width\": 2}", "line 1: the header has no 'version'"),
        (
            "{\n\"version\": 1, \"width\": 8, \"height\": 4, \"stdout\": []} 2",
            "line 2: unexpected data after the document"
        ),
        ("{\n\"version\": 1,\n\"stdout\": [\n[1, \"", "line 4: unterminated string"),
    ])
    func `reports an invalid document with its line number`(_ text: String, _ message: String) {
        #expect(readError(text)?.message == message)
    }

    @Test func `limits the size of a header with many members`() {
        let members = (0..<20).map { "\"m\($0)\": \"\(String(repeating: "x", count: 100_000))\"," }.joined()
        let text = "{\"version\": 1, \(members)\"width\": 80, \"height\": 24, \"stdout\": []}"
        #expect(readError(text)?.message == "line 1: the header is longer than 1 MiB")
    }

    @Test func `limits the size of a document`() {
        let head = #"{"version":1,"width":80,"height":24,"stdout":["#
        let text = head + String(repeating: " ", count: 32 << 20) + "]}"
        let error = readError(text)
        #expect(error?.message == "line 1: a version 1 recording can have at most 32 MiB")
        #expect(error?.hint == "to convert it to version 3, use 'asciinema convert'")
    }

    @Test func `a lenient reader skips invalid events and replaces invalid UTF-8`() throws {
        let head = "{\"version\": 1, \"width\": 80, \"height\": 24, \"stdout\": [\n[1, \"a\"],\n[1, true],\n[1, \""
        let bytes = Array(head.utf8) + [0xFF] + Array("\"]]}".utf8)
        let recording = try ReadRecording(bytes, .lenient)
        #expect(recording?.texts == ["1.0 o a", "3.0 o \u{FFFD}"])
        #expect(
            recording?.notes == [
                "replaced invalid UTF-8 with U+FFFD", "line 3: the data is a boolean instead of a string",
            ]
        )
    }
}
