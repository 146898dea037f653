import Core
import Testing

struct SessionLogEventTests {
    @Test(arguments: [
        ("[1.000002,\"o\",17]", SessionLogEvent(time: 1_000_002, .output(end: 17))),
        ("[0.000000,\"o\",0]", SessionLogEvent(time: 0, .output(end: 0))),
        ("[1700000000.250000,\"r\",\"132x43\"]", SessionLogEvent(time: 1_700_000_000_250_000, .resize(size(132, 43)))),
        ("[5.000000,\"i\",9]", SessionLogEvent(time: 5_000_000, .input(count: 9))),
        ("[5.000000,\"m\",\"a, \\\"b\\\" \\u00e9]\"]", SessionLogEvent(time: 5_000_000, .marker("a, \"b\" é]"))),
        ("[5.000000,\"x\",{\"code\":3}]", SessionLogEvent(time: 5_000_000, .exit(.exited(3)))),
        (
            "[5.000000,\"x\",{\"signal\":\"KILL\",\"core\":true}]",
            SessionLogEvent(time: 5_000_000, .exit(.signalled(SignalName("KILL"), coreDumped: true)))
        ),
    ])
    func `parses a line as an event`(_ line: String, _ event: SessionLogEvent) {
        #expect(SessionLogEvent(line: Array(line.utf8)) == event)
    }

    @Test(arguments: [
        "", "[", "]", "[]", "[,,]", "[1,\"o\",1]", "[1.0,\"o\",1]", "[-1.000000,\"o\",1]", "[1.000000,\"o\",-1]",
        "[1.000000,\"o\",\"1\"]", "[1.000000,\"o\",1", "1.000000,\"o\",1]", "[1.000000,\"o\",18446744073709551616]",
        "[9223372036854775807.000000,\"o\",1]", "[1.000000,\"i\",18446744073709551615]", "[1.000000,\"r\",\"0x0\"]",
        "[1.000000,\"r\",80]", "[1.000000,\"r\",\"80x24\",1]", "[1.000000,\"x\",{}]", "[1.000000,\"x\",0]",
        "[1.000000,\"m\",\"a]", "[1.000000,\"later\",1]", "[1.000000,\"m\",\"\u{0}\"]",
    ])
    func `ignores lines that are not events`(_ line: String) {
        #expect(SessionLogEvent(line: Array(line.utf8)) == nil)
    }

    @Test func `no proper prefix or suffix of a line is an event`() {
        let line = Array("[1700000000.250000,\"m\",\"[1.000000,\\\"o\\\",5]\"]".utf8)
        for start in 1..<line.count { #expect(SessionLogEvent(line: line[start...]) == nil) }
        for end in 0..<line.count { #expect(SessionLogEvent(line: line[..<end]) == nil) }
    }

    private static func size(_ columns: Int, _ rows: Int) -> TerminalSize {
        TerminalSize(columns: columns, rows: rows) ?? .standard
    }
}

struct SessionTimelineTests {
    @Test func `returns events one by one, across pages`() throws {
        var log = MemoryLog()
        let events = (1...5).map { SessionLogEvent(time: Int64($0), .output(end: UInt64($0))) }
        log.pages = [Array(events[..<2]), Array(events[2...])]
        var timeline = SessionTimeline()
        #expect(try Self.rest(of: &timeline, in: log) == events)
    }

    @Test func `a timeline continues when its log grows`() throws {
        var log = MemoryLog()
        var timeline = SessionTimeline()
        #expect(try timeline.next(in: log) == nil)
        log.pages = [[SessionLogEvent(time: 1, .input(count: 1))]]
        #expect(try timeline.next(in: log) == SessionLogEvent(time: 1, .input(count: 1)))
        #expect(try timeline.next(in: log) == nil)
        log.pages.append([SessionLogEvent(time: 1, .output(end: 4))])
        #expect(try Self.rest(of: &timeline, in: log) == [SessionLogEvent(time: 1, .output(end: 4))])
    }

    @Test func `neither time nor output position decreases`() throws {
        var log = MemoryLog()
        log.pages = [
            [
                SessionLogEvent(time: 5, .output(end: 10)), SessionLogEvent(time: 4, .output(end: 11)),
                SessionLogEvent(time: 6, .output(end: 10)), SessionLogEvent(time: 5, .marker("m")),
                SessionLogEvent(time: 4, .marker("n")), SessionLogEvent(time: 7, .output(end: 12)),
            ]
        ]
        var timeline = SessionTimeline()
        #expect(try Self.rest(of: &timeline, in: log).map(\.time) == [5, 5, 7])
    }

    private static func rest(of timeline: inout SessionTimeline, in log: MemoryLog) throws -> [SessionLogEvent] {
        var events: [SessionLogEvent] = []
        while let event = try timeline.next(in: log) { events.append(event) }
        return events
    }
}
