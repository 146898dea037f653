import Core
import Foundation
import Recording
@testable import Services
import Terminal
import TestSupport
import Testing

struct ScreenTimelineTests {
    /// Events with output, sizes and markers at random times, some of them at the same time.
    private static func events(_ count: Int, seed: Int) -> [RecordingEvent] {
        var random = SeededGenerator(spreading: seed)
        var time: Int64 = 0
        return (0..<count).map { number in
            time += [0, 1, 1000].randomElement(using: &random) ?? 0
            let content: RecordingEvent.Content =
                switch Int.random(in: 0..<100, using: &random) {
                case 0: .resize(TerminalSize(columns: Int.random(in: 20...90, using: &random), rows: 24) ?? .standard)
                case 1: .marker("m")
                default: .output(Array("\(number) \u{1B}[3\(number % 8)m\(String(repeating: "x", count: 300))".utf8))
                }
            return RecordingEvent(time: RecordingTime(microseconds: time), content)
        }
    }

    private static func timeline(_ events: [RecordingEvent]) throws -> ScreenTimeline {
        let timeline = try ScreenTimeline()
        try timeline.append(.header(RecordingHeader(size: .standard)))
        for event in events { try timeline.append(.event(event)) }
        try timeline.finish()
        return timeline
    }

    /// The rows of the screen after all events up to a time.
    private static func rows(_ events: [RecordingEvent], at time: Int64) -> [String] {
        var emulator = Emulator(size: .standard, scrollbackBytes: 0)
        for event in events where event.time.microseconds <= time {
            switch event.content {
            case .output(let bytes): emulator.feed(bytes)
            case .resize(let size): emulator.resize(to: size)
            default: continue
            }
        }
        return emulator.screen().rows.map(\.text)
    }

    private static func shown(
        _ timeline: ScreenTimeline,
        _ time: Int64,
        _ step: PageFrame.Step = .none
    ) throws -> (time: Double, rows: [String]) {
        let screen = try timeline.show(time, step, on: PaintedScreen())
        let json = try #require(screen.update(number: 1, since: 0))
        let document = try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
        let rows = try #require(document["rows"] as? [[String: Any]])
        return (try #require(document["time"] as? Double), rows.compactMap { $0["text"] as? String })
    }

    @Test(arguments: 0..<3)
    func `the screen at a time is that after the events up to it`(seed: Int) throws {
        // More than 64 keyframes, so that some are discarded.
        let events = Self.events(60_000, seed: seed)
        let timeline = try Self.timeline(events)
        let end = try #require(events.last).time.microseconds
        #expect(timeline.duration == end)
        var random = SeededGenerator(spreading: seed + 100)
        let times = [0, end, end / 2] + (0..<5).map { _ in Int64.random(in: 0...end, using: &random) }
        for time in times {
            let shown = try Self.shown(timeline, time)
            #expect(shown.rows == Self.rows(events, at: time))
            #expect(shown.time == Double(time) / 1_000_000)
        }
    }

    @Test func `steps lead to the next output and the next marker`() throws {
        let events = [
            RecordingEvent(time: RecordingTime(microseconds: 1000), .output(Array("a".utf8))),
            RecordingEvent(time: RecordingTime(microseconds: 2000), .marker("m")),
            RecordingEvent(time: RecordingTime(microseconds: 3000), .output(Array("b".utf8))),
        ]
        let timeline = try Self.timeline(events)
        #expect(try Self.shown(timeline, 0, .output).time == 0.001)
        #expect(try Self.shown(timeline, 1000, .output).time == 0.003)
        #expect(try Self.shown(timeline, 0, .marker).time == 0.002)
        #expect(try Self.shown(timeline, 2000, .marker).time == 0.003)
        #expect(try Self.shown(timeline, 9000).rows.first == "ab")
    }
}
