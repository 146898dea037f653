import Core
import Recording
import Terminal
import Testing

struct CutEditTests {
    /// Events with colors, a scroll region, a resize, and sequences that are split over two events.
    private static let events = """
        [1, "o", "one\\r\\n\\u001b[31mred\\u001b["]
        [1, "o", "1mbold"]
        [1, "r", "24x5"]
        [1, "m", "here"]
        [1, "o", "\\u001b[2;4r\\u001b[4;1H\\u001b[32mtwo\\r\\n\\u001b]0;ti"]
        [1, "o", "tle\\u0007\\u001b[?1049hthree"]
        [1, "i", "q"]
        [1, "o", "\\u001b[?1049lfour"]
        [1, "x", "0"]
        """

    private static func point(_ seconds: Int64) -> RecordingPoint {
        RecordingPoint(time: RecordingTime(microseconds: seconds * 1_000_000))
    }

    /// The screen of a terminal after these events.
    private static func screen(_ size: TerminalSize, _ events: some Sequence<RecordingEvent>) -> Screen {
        var emulator = Emulator(size: size)
        for event in events {
            switch event.content {
            case .output(let bytes): emulator.feed(bytes)
            case .resize(let size): emulator.resize(to: size)
            case .input, .marker, .exit, .other: break
            }
        }
        return emulator.screen()
    }

    @Test(arguments: 0...10)
    func `the parts before and after a position add up to the whole`(_ seconds: Int64) throws {
        let whole = try EditFixture(Self.events, edit: RecordingCut())
        let before = try EditFixture(
            Self.events,
            edit: CutEdit(from: Self.point(0), to: Self.point(seconds), removes: false)
        )
        let after = try EditFixture(Self.events, edit: CutEdit(from: Self.point(seconds), to: nil, removes: false))
        let count = whole.events.count { $0.time.microseconds < seconds * 1_000_000 }
        var kept = Array(whole.events.prefix(count))
        // Silence before the cut is preserved.
        if (1...9).contains(seconds) {
            kept.append(RecordingEvent(time: RecordingTime(microseconds: seconds * 1_000_000), .output([])))
        }
        #expect(before.events == kept)
        #expect(before.header.size == TerminalSize(columns: 20, rows: 4))
        let rest = after.events.dropFirst(count > 0 ? 1 : 0).map { event in
            var event = event
            event.time = event.time + RecordingTime(microseconds: seconds * 1_000_000)
            return event
        }
        #expect(rest == Array(whole.events.dropFirst(count)))
        #expect(after.events.first?.time == RecordingTime.start || count == 0)
        let end = Self.screen(whole.header.size, whole.events)
        #expect(Self.screen(after.header.size, after.events) == end)
    }

    @Test(arguments: [(0, 3), (1, 2), (2, 6), (3, 7), (5, 6), (4, 9), (2, 20)] as [(Int64, Int64)])
    func `removing a part leaves the screen after it unchanged`(_ from: Int64, _ to: Int64) throws {
        let whole = try EditFixture(Self.events, edit: RecordingCut())
        let rest = try EditFixture(
            Self.events,
            edit: CutEdit(from: Self.point(from), to: Self.point(to), removes: true)
        )
        if to < 9 {
            #expect(Self.screen(rest.header.size, rest.events) == Self.screen(whole.header.size, whole.events))
            #expect(rest.events.last?.time.microseconds == (9 - (to - from)) * 1_000_000)
        }
        let removed = whole.events.filter { (from * 1_000_000..<to * 1_000_000).contains($0.time.microseconds) }
        for event in removed where event.code == "m" || event.code == "i" {
            #expect(!rest.events.contains { $0.code == event.code })
        }
    }

    @Test func `an event number is a position between events with the same time`() throws {
        let events = "[1, \"m\", \"a\"]\n[0, \"m\", \"b\"]\n[0, \"m\", \"c\"]"
        let time = RecordingTime(microseconds: 1_000_000)
        let start = RecordingPoint(time: time, event: 2)
        let end = RecordingPoint(time: time, event: 3)
        let kept = try EditFixture(events, edit: CutEdit(from: start, to: end, removes: false))
        #expect(kept.events.filter { $0.code == "m" }.map(\.data) == [[0x62]])
        let rest = try EditFixture(events, edit: CutEdit(from: start, to: end, removes: true))
        #expect(rest.events.filter { $0.code == "m" }.map(\.data) == [[0x61], [0x63]])
    }

    @Test func `the end of a recording is a position after its last event`() throws {
        var survey = RecordingSurvey(for: [.part(1_000_000)])
        let whole = try EditFixture(Self.events, edit: RecordingCut())
        for event in whole.events { survey.consume(event) }
        for position in [RecordingPosition.part(1_000_000), .beforeEnd(.start)] {
            let end = try survey.resolve(position)
            let before = try EditFixture(Self.events, edit: CutEdit(from: Self.point(0), to: end, removes: false))
            let after = try EditFixture(Self.events, edit: CutEdit(from: end, to: nil, removes: false))
            #expect(before.events == whole.events)
            #expect(after.events.map(\.time) == [.start])
            #expect(after.events.first?.code == "o")
        }
    }

    private static func events(_ items: [RecordingItem]) -> [RecordingEvent] {
        items.compactMap { if case .event(let event) = $0 { event } else { nil } }
    }

    @Test(arguments: [10, 25, 44, 50, 90])
    func `joined parts are as long as the whole`(_ percent: Int64) throws {
        let events = "[1, \"o\", \"a\"]\n[20, \"o\", \"b\"]\n[4, \"x\", \"0\"]"
        let cut = RecordingPoint(time: RecordingTime(microseconds: 25_000_000 * percent / 100))
        let before = try EditFixture(events, edit: CutEdit(from: Self.point(0), to: cut, removes: false))
        let after = try EditFixture(events, edit: CutEdit(from: cut, to: nil, removes: false))
        var join = JoinEdit(resets: true)
        var joined: [RecordingItem] = []
        for part in [before, after] {
            for item in [.header(part.header)] + part.events.map({ RecordingItem.event($0) }) {
                join.consume(item, into: &joined)
            }
        }
        join.finish(into: &joined)
        #expect(Self.events(joined).last?.time.microseconds == 25_000_000)
    }

    @Test func `joining parts that were cut at the end keeps the exit`() throws {
        let events = "[1, \"o\", \"a\"]\n[4, \"x\", \"7\"]"
        var survey = RecordingSurvey(for: [.part(1_000_000)])
        for event in try EditFixture(events, edit: RecordingCut()).events { survey.consume(event) }
        let cut = try survey.resolve(.part(1_000_000))
        let before = try EditFixture(events, edit: CutEdit(from: Self.point(0), to: cut, removes: false))
        let after = try EditFixture(events, edit: CutEdit(from: cut, to: nil, removes: false))
        for parts in [[before, after], [before, after, after]] {
            var join = JoinEdit(resets: true)
            var joined: [RecordingItem] = []
            for part in parts {
                for item in [.header(part.header)] + part.events.map({ RecordingItem.event($0) }) {
                    join.consume(item, into: &joined)
                }
            }
            join.finish(into: &joined)
            let events = Self.events(joined)
            #expect(events.last?.code == "x")
            #expect(events.last?.time.microseconds == 5_000_000)
            #expect(events.filter { $0.code == "x" }.count == 1)
        }
    }

    @Test func `preserves silence before a removed end`() throws {
        let events = "[1, \"o\", \"a\"]\n[20, \"o\", \"b\"]"
        let rest = try EditFixture(events, edit: CutEdit(from: Self.point(10), to: nil, removes: true))
        #expect(rest.events.map(\.time.microseconds) == [1_000_000, 10_000_000])
        #expect(rest.events.last?.data == [])
    }

    @Test func `the timestamp of a part is that of its start`() throws {
        let header = #"{"version": 3, "term": {"cols": 9, "rows": 4}, "timestamp": 100, "title": "t"}"#
        let edit = CutEdit(from: Self.point(3), to: nil, removes: false)
        let part = try EditFixture(Self.events, header: header, edit: edit)
        #expect(part.header.timestamp == 103)
        #expect(part.header.title == "t")
    }
}
