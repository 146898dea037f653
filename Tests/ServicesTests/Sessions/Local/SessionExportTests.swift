import Core
import CoreTestSupport
import Recording
import Services
import Synchronization
import TestSupport
import Testing

/// Recordings of sessions from their logs, as written by `LocalSessions`.
struct SessionExportTests {
    private let log = MemoryLog([])
    private let fixture: SessionFixture
    private static let start: Int64 = 1_000_000_500

    init() {
        var record = Session.sample("build", state: .exited)
        record.command = ["echo", "a b"]
        fixture = SessionFixture([FakeSessionStore.Kept(record: record, log: log)])
        add(0, .resize(.standard))
    }

    private func add(_ microseconds: Int64, _ kind: SessionLogEvent.Kind) {
        log.append(SessionLogEvent(time: Self.start + microseconds, kind))
    }

    private func write(_ text: String, at microseconds: Int64) throws {
        log.append(Array(text.utf8))
        add(microseconds, .output(end: try log.endOffset()))
    }

    private func record(_ change: (inout RecordRequest) -> Void = { _ in }) async throws -> String {
        var request = RecordRequest()
        change(&request)
        let sink = MemorySink()
        try await fixture.sessions.record("build", request, to: sink)
        return String(decoding: sink.bytes, as: UTF8.self)
    }

    private func lines(_ change: (inout RecordRequest) -> Void = { _ in }) async throws -> [String] {
        try await record(change).split(separator: "\n").dropFirst().map(String.init)
    }

    @Test func `the times and contents of events match the timeline`() async throws {
        try write("one\r\n", at: 1500)
        try write("two", at: 1_001_500)
        add(1_100_000, .exit(.exited(3)))
        let text = try await record()
        #expect(
            text == """
                {"version": 3, "term": {"cols": 80, "rows": 24, "type": "xterm-256color"}, "timestamp": 1000, \
                "command": "echo 'a b'"}
                [0.0015, "o", "one\\r\\n"]
                [1.000, "o", "two"]
                [0.0985, "x", "3"]

                """
        )
    }

    @Test func `a signal is exported as 128 plus its number, and an unchanged size is not exported`() async throws {
        add(10, .resize(.standard))
        add(20, .resize(try TerminalSize(parsing: "100x30")))
        add(30, .marker("half \"way\""))
        add(40, .input(count: 5))
        add(50, .exit(.signalled(SignalName("KILL"), coreDumped: false)))
        #expect(
            try await lines { $0.format = .v2 } == [
                #"[0.00002, "r", "100x30"]"#, #"[0.00003, "m", "half \"way\""]"#, #"[0.00005, "x", "137"]"#,
            ]
        )
    }

    @Test func `a character split over two writes belongs to the second`() async throws {
        log.append([0x61, 0xE2, 0x82])
        add(1000, .output(end: 3))
        log.append([0xAC, 0xFF, 0xC3])
        add(2000, .output(end: 6))
        add(3000, .exit(.exited(0)))
        #expect(
            try await lines() == [
                #"[0.001, "o", "a"]"#, "[0.001, \"o\", \"€\u{FFFD}\"]", "[0.000, \"o\", \"\u{FFFD}\"]",
                #"[0.001, "x", "0"]"#,
            ]
        )
    }

    @Test func `reports missing output, and records the rest`() async throws {
        try write("gone", at: 1000)
        try write("half-kept", at: 2000)
        log.release(before: 9)
        #expect(try await lines() == [#"[0.002, "o", "kept"]"#])
        #expect(fixture.notes.all == ["output from offset 0 to 9 is not in the log"])
    }

    @Test func `output that is missing before a part is not reported`() async throws {
        try write("gone", at: 1000)
        try write("half-kept", at: 2000)
        try write("all", at: 3000)
        log.release(before: 9)
        let part = try await lines { $0.start = .beforeEnd(RecordingTime(microseconds: 1)) }
        #expect(part.last?.contains(#""o", "all""#) == true, "\(part)")
        #expect(fixture.notes.all == [])
    }

    @Test func `output that has no event in the timeline yet is not included`() async throws {
        try write("now", at: 1000)
        log.append(Array("later".utf8))
        #expect(try await lines() == [#"[0.001, "o", "now"]"#])
    }

    // MARK: - Parts

    private static let parts: [(from: String?, to: String?, lines: [String])] = [
        ("1", nil, [dump, #"[0.000, "o", "b"]"#, #"[1.000, "o", "c"]"#, marker, #"[1.000, "x", "0"]"#]),
        (nil, "event:3", [#"[0.000, "o", "a"]"#, #"[1.000, "o", "b"]"#, silence]),
        ("marker:m", nil, [dump, marker, #"[1.000, "x", "0"]"#]),
        ("-1", "100%", [dump, #"[0.000, "o", "c"]"#, marker, #"[1.000, "x", "0"]"#]),
        ("-1", "event:5", [dump, #"[0.000, "o", "c"]"#, marker, silence]),
        ("9:00", nil, [dump]),
    ]
    private static let dump = #"[0.000, "o", "DUMP"]"#
    private static let marker = #"[0.000, "m", "m"]"#
    private static let silence = #"[1.000, "o", ""]"#

    @Test(arguments: parts)
    func `a part starts with the screen at its start position`(_ from: String?, _ to: String?, _ expected: [String])
        async throws
    {
        try write("a", at: 0)
        try write("b", at: 1_000_000)
        try write("c", at: 2_000_000)
        add(2_000_000, .marker("m"))
        add(3_000_000, .exit(.exited(0)))
        let start = try from.map { try RecordingPosition(parsing: $0) }
        let end = try to.map { try RecordingPosition(parsing: $0) }
        let dump = /\[0\.000, "o", "\\u001b\\\\.*"\]/
        let lines = try await lines { ($0.start, $0.end) = (start, end) }
        #expect(lines.map { $0.wholeMatch(of: dump) == nil ? $0 : Self.dump } == expected)
    }

    @Test func `a part that starts within an escape sequence includes the beginning of the sequence`() async throws {
        try write("\u{1B}[3", at: 0)
        try write("1mred", at: 1_000_000)
        let lines = try await lines { $0.start = try? RecordingPosition(parsing: "0.5") }
        #expect(lines.count == 2)
        #expect(lines.first?.hasSuffix("\\u001b[3\"]") == true)
        #expect(lines.last == #"[0.500, "o", "1mred"]"#)
    }

    @Test func `a marker that does not exist is an error`() async throws {
        let error = try await failure {
            _ = try await record { $0.start = .marker("none") }
        }
        #expect(error.code == .notFound)
    }

    // MARK: - Formats and limits

    @Test func `raw output contains every byte`() async throws {
        let bytes: [UInt8] = [0x61, 0xFF, 0x62, 0xE2, 0x82, 0x80, 0xC3]
        for (index, byte) in bytes.enumerated() {
            log.append([byte])
            add(Int64(index) * 1000, .output(end: UInt64(index + 1)))
        }
        add(9000, .exit(.exited(0)))
        var request = RecordRequest()
        request.format = .raw
        let sink = MemorySink()
        try await fixture.sessions.record("build", request, to: sink)
        #expect(sink.bytes == bytes)
    }

    @Test func `also exports raw output and text`() async throws {
        try write("a\u{1B}[1mb\r\nc", at: 0)
        #expect(try await record { $0.format = .raw } == "a\u{1B}[1mb\r\nc")
        #expect(try await record { $0.format = .txt } == "ab\nc\n")
    }

    @Test(arguments: RecordingFormat.allCases)
    func `no recording exceeds its limit`(_ format: RecordingFormat) async throws {
        for index in 0..<1000 { try write("line \(index)\r\n", at: Int64(index)) }
        let text = try await record { ($0.format, $0.limitBytes) = (format, 2000) }
        #expect(((format == .raw ? 2000 : 1800)...2000).contains(text.utf8.count))
        #expect(format == .raw || text.utf8.last == UInt8(ascii: "\n"))
        #expect(fixture.notes.all == ["the recording is truncated, because it has reached its maximum size"])
    }

    @Test(arguments: [RecordingFormat.v3, .v2, .txt])
    func `an output event that exceeds the limit is shortened`(_ format: RecordingFormat) async throws {
        let lines = (0..<1000).map { "\($0) \u{1B}[1mé\u{1B}[m\r\n" }.joined()
        try write(lines, at: 0)
        for limit in Int64(1000)..<1010 {
            let text = try await record { ($0.format, $0.limitBytes) = (format, limit) }
            #expect((limit - 25...limit).contains(Int64(text.utf8.count)))
            #expect(!text.contains("\u{FFFD}"))
            if format == .v3 { #expect(text.hasSuffix("\"]\n")) }
        }
    }

    @Test func `an end before the start is an error`() async throws {
        try write("one", at: 1000)
        let error = try await failure {
            _ = try await record {
                ($0.start, $0.end) = (try? RecordingPosition(parsing: "5"), try? RecordingPosition(parsing: "1"))
            }
        }
        #expect(error.message == "the end at 0:01.000 is before the start at 0:05.000")
    }

    @Test func `records input on request, if the session logs it`() async throws {
        add(1000, .typed("make\n"))
        #expect(try await lines() == [])
        let error = try await failure { _ = try await record { $0.includesInput = true } }
        #expect(error.code == .usage)
        fixture.host.change("build") { $0.record.logsInput = true }
        #expect(try await lines { $0.includesInput = true } == [#"[0.001, "i", "make\n"]"#])
    }

    @Test func `follows a session until it ends`() async throws {
        fixture.host.change("build") { $0.record.state = .running }
        async let text = lines { $0.follows = true }
        try write("one", at: 1000)
        let log = log
        #expect(await eventually { log.changes.isWaitedFor })
        try write("two", at: 2000)
        add(3000, .exit(.exited(0)))
        #expect(
            try await text == [#"[0.001, "o", "one"]"#, #"[0.001, "o", "two"]"#, #"[0.001, "x", "0"]"#]
        )
    }

    @Test func `the recording of a lost session ends without an exit event, and with an error`() async throws {
        try write("last", at: 1000)
        fixture.host.change("build") { $0.record.state = .lost }
        var request = RecordRequest()
        request.follows = true
        let sink = MemorySink()
        let error = try await failure { try await fixture.sessions.record("build", request, to: sink) }
        #expect(error.code == .ended)
        #expect(String(decoding: sink.bytes, as: UTF8.self).hasSuffix("[0.001, \"o\", \"last\"]\n"))
    }
}
