import Core
import Recording
import Testing

struct ConversionTests {
    static let full = """
        {"version": 2, "width": 96, "height": 26, "depends": ["a", {"b": 1.50}], "timestamp": 1506410422, \
        "duration": 9.5, "idle_time_limit": 2.5, "command": "/bin/bash -l", "title": "a \\"b\\" \\u001b", \
        "env": {"TERM": "screen", "SHELL": "/bin/zsh", "A\\nB": "\\t"}, "theme": {"fg": "#aaaaaa", \
        "bg": "#bbbbbb", "palette": "#000000:#111111:#222222:#333333:#444444:#555555:#666666:#777777"}, "rows": 24}
        [0, "rlib", "type: prompt"]
        [0.000001, "o", "\\u001b[31m\\u007f\\u0000é😀\\r\\n"]
        [1.000004, "i", "x"]
        [1.3333333, "r", "80x24"]
        [7.000001, "m", ""]
        [7.000002, "", "no code"]
        [8.1, "x", "3"]

        """

    @Test func `a conversion to v3 and back preserves every event, key and exact time`() throws {
        let first = try #require(try ReadRecording(Self.full))
        let third = try #require(try ReadRecording(first.written(.v3)))
        #expect(third.header.version == .v3)
        let second = try #require(try ReadRecording(third.written(.v2)))
        #expect(second == first)
        #expect(second.written(.v2) == first.written(.v2))
        #expect(first.events.map(\.code) == ["rlib", "o", "i", "r", "m", "", "x"])
        #expect(
            first.header.extras.map { String(decoding: $0.text, as: UTF8.self) } == [
                #""depends": ["a", {"b": 1.50}]"#, #""rows": 24"#,
            ]
        )
    }

    @Test func `converts v1 to v2, v3 and v2 again`() throws {
        let text = #"""
            {"version": 1, "width": 80, "height": 24, "duration": 11.146430015564, "env": {"A": null}, "x": [1],
            "stdout": [[1.234567, "a"], [0.000001, "b"]]}
            """#
        let one = try #require(try ReadRecording(text))
        let two = try #require(try ReadRecording(one.written(.v2)))
        let three = try #require(try ReadRecording(two.written(.v3)))
        let again = try #require(try ReadRecording(three.written(.v2)))
        #expect(again == two)
        #expect(again.events == one.events)
        #expect(again.header.duration == 11.146430015564)
        #expect(again.header.environment == one.header.environment)
        #expect(again.header.extras == one.header.extras)
    }

    @Test func `a conversion to v2 preserves the terminal information of v3`() throws {
        let text = #"{"version":3,"term":{"cols":8,"rows":4,"type":"xterm","version":"x 1","z":[2]},"width":9}"#
        let three = try #require(try ReadRecording(text))
        var two = try #require(try ReadRecording(three.written(.v2)))
        #expect(two.header.size.columns == 8)
        #expect(two.header.terminalType == "xterm")
        #expect(two.header.terminalVersion == "x 1")
        #expect(two.header.terminalExtras == three.header.terminalExtras)
        two.header.version = .v3
        #expect(
            String(decoding: two.written(.v3), as: UTF8.self) == """
                {"version": 3, "term": {"cols": 8, "rows": 4, "type": "xterm", "version": "x 1", "z":[2]}}

                """
        )
    }

    @Test func `writes lines in the layout of the format`() throws {
        let recording = try #require(try ReadRecording(Self.full))
        let three = String(decoding: recording.written(.v3), as: UTF8.self).split(separator: "\n")
        #expect(
            three[0] == """
                {"version": 3, "term": {"cols": 96, "rows": 26, "theme": {"fg": "#aaaaaa", "bg": "#bbbbbb", "palette": \
                "#000000:#111111:#222222:#333333:#444444:#555555:#666666:#777777:\
                #000000:#111111:#222222:#333333:#444444:#555555:#666666:#777777"}}, "timestamp": 1506410422, \
                "duration": 9.5, "idle_time_limit": 2.5, "command": "/bin/bash -l", "title": "a \\"b\\" \\u001b", \
                "env": {"TERM": "screen", "SHELL": "/bin/zsh", "A\\nB": "\\t"}, "depends": ["a", {"b": 1.50}], "rows": 24}
                """
        )
        #expect(
            three[2...4] == [
                #"[0.000001, "o", "\u001b[31m\u007f\u0000é😀\r\n"]"#, #"[1.000003, "i", "x"]"#,
                #"[0.333329, "r", "80x24"]"#,
            ]
        )
        let two = String(decoding: recording.written(.v2), as: UTF8.self).split(separator: "\n")
        #expect(two[3...4] == [#"[1.000004, "i", "x"]"#, #"[1.333333, "r", "80x24"]"#])
    }

    @Test func `rounding to milliseconds does not drift`() throws {
        var writer = AsciicastWriter(.v3, .milliseconds)
        var recording = try #require(try ReadRecording(AsciicastReaderTests.v3))
        recording.events = (1...3000).map {
            RecordingEvent(time: RecordingTime(microseconds: $0 * 333), .output([]))
        }
        writer.write(recording.header)
        for event in recording.events { writer.write(event) }
        let read = try #require(try ReadRecording(writer.take()))
        for (written, exact) in zip(read.events, recording.events) {
            #expect(abs(written.time.microseconds - exact.time.microseconds) <= 500)
        }
        #expect(read.events.last?.time.microseconds == 999_000)
    }
}
