import Core
import Recording
import TestSupport
import Testing

struct RecordingFileTests {
    private static let text = """
        {"version": 3, "term": {"cols": 20, "rows": 4}, "idle_time_limit": 2}
        [1, "o", "a"]
        [4, "m", "build"]
        [1, "o", "b"]
        [4, "m", "build"]

        """

    private static func points(
        _ start: String?,
        _ end: String?
    ) throws -> (start: RecordingPoint, end: RecordingPoint?) {
        let scratch = try ScratchDirectory()
        let file = try RecordingFile(opening: try scratch.write(text, to: "a.cast"))
        let first = try start.map { try RecordingPosition(parsing: $0) }
        let last = try end.map { try RecordingPosition(parsing: $0) }
        return try file.points(from: first, to: last)
    }

    @Test(
        arguments: [
            (nil, nil, 0, nil), ("2", "50%", 2, 5), ("marker:build", "-1", 5, 9), ("event:3", "100%", 6, nil),
            ("-10", "-0", 0, nil),
        ] as [(String?, String?, Int64, Int64?)]
    )
    func `resolves a range`(_ start: String?, _ end: String?, _ from: Int64, _ to: Int64?) throws {
        let points = try Self.points(start, end)
        #expect(points.start.time.microseconds == from * 1_000_000)
        #expect(points.end?.time.microseconds == to.map { $0 * 1_000_000 })
    }

    @Test(
        arguments: [
            ("5", "4", VTError.Code.usage), ("50%", "1", .usage), ("event:3", "event:2", .usage),
            ("marker:test", nil, .notFound), (nil, "event:5", .notFound),
        ] as [(String?, String?, VTError.Code)]
    )
    func `an invalid range is an error`(_ start: String?, _ end: String?, _ code: VTError.Code) throws {
        let error = #expect(throws: VTError.self) { try Self.points(start, end) }
        #expect(error?.code == code)
    }

    @Test func `a file can be read repeatedly`() throws {
        let scratch = try ScratchDirectory()
        let file = try RecordingFile(opening: try scratch.write(Self.text, to: "a.cast"))
        var counts: [Int] = []
        for _ in 0..<2 {
            var count = 0
            try file.read { _ in count += 1 }
            counts.append(count)
        }
        #expect(counts == [5, 5])
    }

    @Test func `an error names the file and the line`() async throws {
        let scratch = try ScratchDirectory()
        let path = try scratch.write(Self.text + "lol!\n", to: "a.cast")
        let file = try RecordingFile(opening: path)
        let error = #expect(throws: VTError.self) { try file.read { _ in } }
        #expect(error?.code == .dataInvalid)
        #expect(error?.message == "cannot read '\(path)': line 6: expected a value")
        let lenient = try RecordingFile(opening: path, policy: .lenient)
        try lenient.read { _ in }
        #expect(lenient.notes.kept.map(\.text) == ["line 6: expected a value"])
    }

    @Test func `reports a file that cannot be opened`() throws {
        let scratch = try ScratchDirectory()
        let missing = #expect(throws: VTError.self) { try RecordingFile(opening: scratch.path("none")) }
        #expect(missing?.code == .notFound)
        let directory = #expect(throws: VTError.self) { try RecordingFile(opening: scratch.path) }
        #expect(directory?.code == .io)
    }

    @Test func `a summary counts events, and includes the duration with shortened pauses`() throws {
        let scratch = try ScratchDirectory()
        let file = try RecordingFile(opening: try scratch.write(Self.text, to: "a.cast"))
        var summary = RecordingSummary(idleLimit: nil)
        try file.read { summary.consume($0) }
        #expect(summary.duration.seconds == 10)
        #expect(summary.activeDuration?.seconds == 6)
        #expect(summary.counts == ["o": 2, "m": 2])
        #expect(summary.outputBytes == 2)
        #expect(summary.markers.map(\.label) == ["build", "build"])
        #expect(summary.exitStatus == nil)
    }
}
