import Core
import Recording
import Testing

struct RecordingEditTests {
    private static func time(_ microseconds: Int64) -> RecordingTime {
        RecordingTime(microseconds: microseconds)
    }

    private static let timed = #"{"version": 3, "term": {"cols": 9, "rows": 4}, "duration": 9, "idle_time_limit": 4}"#

    @Test func `a speed scales all times and the idle limit`() throws {
        let events = "[1, \"o\", \"a\"]\n[3, \"i\", \"b\"]\n[0.000001, \"x\", \"0\"]"
        let result = try EditFixture(events, header: Self.timed, edit: SpeedEdit(factor: 2, idleLimit: nil))
        #expect(result.texts == ["0.5 o a", "2.0 i b", "2.000001 x 0"])
        #expect(result.header.duration == nil)
        #expect(result.header.idleTimeLimit == 2)
    }

    @Test func `shortens long pauses permanently`() throws {
        let events = "[5, \"o\", \"a\"]\n[1, \"m\", \"b\"]\n[7, \"x\", \"0\"]"
        let edit = SpeedEdit(factor: 0.5, idleLimit: Self.time(2_000_000))
        let result = try EditFixture(events, header: Self.timed, edit: edit)
        #expect(result.texts == ["4.0 o a", "6.0 m b", "10.0 x 0"])
        #expect(result.header.idleTimeLimit == nil)
    }

    @Test func `merges output that is close in time, but no other events`() throws {
        let events = """
            [1, "o", "a"]
            [0.05, "o", "b"]
            [0.05, "o", "c"]
            [0.01, "m", "!"]
            [0.01, "o", "d"]
            [0.09, "o", "e"]

            """
        let result = try EditFixture(events, edit: QuantizeEdit(span: Self.time(100_000)))
        #expect(result.texts == ["1.0 o ab", "1.1 o c", "1.11 m !", "1.12 o de"])
    }

    @Test func `concatenates recordings`() throws {
        let first = "[1, \"o\", \"a\"]\n[1, \"r\", \"30x5\"]\n[1, \"x\", \"1\"]"
        let second = "[1, \"o\", \"b\"]\n[1, \"x\", \"2\"]"
        let result = try EditFixture(first, second, edit: JoinEdit(resets: true))
        #expect(
            result.texts == [
                "1.0 o a", "2.0 r 30x5", "3.0 o \u{1B}c", "3.0 r 20x4", "4.0 o b", "5.0 x 2",
            ]
        )
        let plain = try EditFixture("[1, \"o\", \"a\"]", second, edit: JoinEdit(resets: false))
        #expect(plain.texts == ["1.0 o a", "2.0 o b", "3.0 x 2"])
    }

    @Test func `keeps an exit that is not at the end of its recording`() throws {
        let result = try EditFixture("[1, \"x\", \"1\"]\n[1, \"m\", \"\"]", edit: JoinEdit(resets: true))
        #expect(result.texts == ["1.0 x 1", "2.0 m "])
    }
}
