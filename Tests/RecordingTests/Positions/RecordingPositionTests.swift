import Core
import Recording
import Testing

struct RecordingPositionTests {
    @Test(arguments: [
        ("0", 0), ("12.5", 12_500_000), ("12.5s", 12_500_000), ("250ms", 250_000), ("1s500ms", 1_500_000),
        ("1:20", 80_000_000), ("1:05.25", 65_250_000), ("1:02:03.5", 3_723_500_000), ("01:00", 60_000_000),
        ("1m20s", 80_000_000), ("1h", 3_600_000_000), ("1h2m3s", 3_723_000_000), ("90m", 5_400_000_000),
        ("0.0000015", 2),
    ])
    func `parses a time in every format`(_ text: String, _ microseconds: Int64) throws {
        let time = RecordingTime(microseconds: microseconds)
        #expect(try RecordingPosition(parsing: text) == .time(time))
        #expect(try RecordingPosition(parsing: "-" + text) == .beforeEnd(time))
    }

    @Test(arguments: [
        ("50%", RecordingPosition.part(500_000)), ("0%", .part(0)), ("100%", .part(1_000_000)),
        ("12.5%", .part(125_000)), ("marker:", .marker("")), ("marker:a b%", .marker("a b%")), ("event:1", .event(1)),
    ])
    func `parses percentages, markers and event numbers`(_ text: String, _ position: RecordingPosition) throws {
        #expect(try RecordingPosition(parsing: text) == position)
    }

    @Test(arguments: [
        "", "-", "--5", "x", "1:60", "1:2:3:4", ":20", "1:", "1s1m", "1s1s", "s", "1d", "101%", "-5%", "%", "event:0",
        "event:x", "event:-1", "1e3", "+1", "1.", "٣", "99999999999", "9999999999999999h", "1 s", "marker",
    ])
    func `rejects an invalid position`(_ text: String) {
        let error = #expect(throws: VTError.self) { try RecordingPosition(parsing: text) }
        #expect(error?.code == .usage)
        #expect(error?.message == "invalid position '\(text)'")
    }

    private static let events = [
        RecordingEvent(time: RecordingTime(microseconds: 1_000_000), .output([0x61])),
        RecordingEvent(time: RecordingTime(microseconds: 2_000_000), .marker("build")),
        RecordingEvent(time: RecordingTime(microseconds: 2_000_000), .marker("build")),
        RecordingEvent(time: RecordingTime(microseconds: 9_000_000), .exit(0)),
    ]

    @Test(
        arguments: [
            ("5", 5_000_000, nil), ("50%", 4_500_000, nil), ("-2", 7_000_000, nil), ("-20", 0, nil),
            ("marker:build", 2_000_000, 2), ("event:4", 9_000_000, 4),
        ] as [(String, Int64, Int?)]
    )
    func `a survey resolves a position`(_ text: String, _ microseconds: Int64, _ event: Int?) throws {
        let position = try RecordingPosition(parsing: text)
        var survey = RecordingSurvey(for: [position])
        for event in Self.events { survey.consume(event) }
        let point = RecordingPoint(time: RecordingTime(microseconds: microseconds), event: event)
        #expect(try survey.resolve(position) == point)
    }

    @Test(arguments: ["marker:test", "event:5"])
    func `a position that does not exist is not found`(_ text: String) throws {
        let position = try RecordingPosition(parsing: text)
        var survey = RecordingSurvey(for: [position])
        for event in Self.events { survey.consume(event) }
        let error = #expect(throws: VTError.self) { try survey.resolve(position) }
        #expect(error?.code == .notFound)
    }

    @Test func `a point separates the events before and after it`() {
        let point = RecordingPoint(time: RecordingTime(microseconds: 5), event: 3)
        #expect(point.isAfter(2, RecordingTime(microseconds: 5)))
        #expect(!point.isAfter(3, RecordingTime(microseconds: 5)))
        #expect(point.includes(3, RecordingTime(microseconds: 5)))
        let time = RecordingPoint(time: RecordingTime(microseconds: 5))
        #expect(!time.isAfter(2, RecordingTime(microseconds: 5)))
        #expect(time.includes(9, RecordingTime(microseconds: 5)))
    }
}
