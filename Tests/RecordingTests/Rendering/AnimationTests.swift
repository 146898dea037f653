import Core
import CoreTestSupport
import Recording
import Terminal
import TestSupport
import Testing

struct AnimationTests {
    private struct Frame: Equatable {
        var text: String
        var milliseconds: Int64
    }

    /// Plays a recording with these events, whose times are in milliseconds, and returns its frames.
    private func frames(
        _ events: [(Int64, String, String)],
        _ change: (inout AnimationRequest) throws -> Void = { _ in }
    ) throws -> (frames: [Frame], end: Int64, size: TerminalSize) {
        var writer = AsciicastWriter(.v3)
        writer.write(RecordingHeader(size: .standard))
        for (milliseconds, code, data) in events {
            let time = RecordingTime(microseconds: milliseconds * 1000)
            writer.write(RecordingEvent(time: time, code: code, data: Array(data.utf8)))
        }
        let scratch = try ScratchDirectory()
        let source = try RecordingFile(
            opening: scratch.write(writer.take(), to: "a.cast"),
            diagnostics: RecordedNotes()
        )
        var request = AnimationRequest()
        request.hold = .seconds(1)
        try change(&request)
        let animation = try Animation(source, request)
        var frames: [Frame] = []
        let end = try animation.play(source) { screen, time in
            frames.append(Frame(text: screen.rows[0].text, milliseconds: time / 1000))
        }
        return (frames, end / 1000, animation.size)
    }

    @Test func `an event far from others becomes a frame at its time`() throws {
        let (frames, end, _) = try frames([(100, "o", "a"), (300, "o", "b"), (900, "o", "c")])
        #expect(
            frames == [
                Frame(text: "", milliseconds: 0), Frame(text: "a", milliseconds: 100),
                Frame(text: "ab", milliseconds: 300), Frame(text: "abc", milliseconds: 900),
            ]
        )
        #expect(end == 1900)
    }

    @Test func `events close together form one frame`() throws {
        let events = (0..<100).map { (Int64($0) * 10, "o", "\r\($0)") }
        let (frames, _, _) = try frames(events) { $0.framesPerSecond = 10 }
        #expect(frames.map(\.milliseconds) == (0..<10).map { $0 * 100 })
        #expect(frames.last?.text == "99")
    }

    @Test func `shortens pauses, and applies the speed`() throws {
        let events: [(Int64, String, String)] = [(1000, "o", "a"), (61_000, "o", "b"), (62_000, "o", "c")]
        let (frames, end, _) = try frames(events) {
            $0.idleLimit = .seconds(2)
            $0.speed = 2
        }
        #expect(frames.map(\.milliseconds) == [0, 500, 1500, 2000])
        #expect(end == 3000)
    }

    @Test func `without an idle limit, a pause lasts at most five seconds`() throws {
        let (frames, _, _) = try frames([(1000, "o", "a"), (61_000, "o", "b")])
        #expect(frames.map(\.milliseconds) == [0, 1000, 6000])
    }

    @Test func `a part starts with the screen at that time`() throws {
        let events: [(Int64, String, String)] = [
            (1000, "o", "a"), (2000, "m", "here"), (3000, "o", "b"), (4000, "o", "c"),
        ]
        let (frames, end, _) = try frames(events) {
            $0.from = .marker("here")
            $0.to = try RecordingPosition(parsing: "3.5")
        }
        #expect(frames == [Frame(text: "a", milliseconds: 0), Frame(text: "ab", milliseconds: 1000)])
        #expect(end == 2500)
    }

    @Test func `output within a synchronized update produces no frames`() throws {
        let events: [(Int64, String, String)] = [
            (100, "o", "a"), (200, "o", "\u{1B}[?2026hb"), (300, "o", "c\u{1B}[?2026l"), (400, "o", "d"),
        ]
        #expect(try frames(events).frames.map(\.text) == ["", "a", "abc", "abcd"])
    }

    @Test func `the animation has the maximum size of the terminal`() throws {
        let events: [(Int64, String, String)] = [(1000, "r", "100x10"), (2000, "r", "60x30"), (3000, "r", "200x50")]
        #expect(try frames(events) { $0.to = .event(3) }.size == TerminalSize(columns: 100, rows: 30))
        #expect(try frames(events) { $0.size = TerminalSize(columns: 20, rows: 5) }.size.columns == 20)
    }

    @Test func `rejects an end before the start`() throws {
        #expect {
            _ = try frames([(1000, "o", "a"), (2000, "o", "b")]) {
                $0.from = .event(2)
                $0.to = .event(1)
            }
        } throws: { ($0 as? VTError)?.code == .usage }
    }

    /// Size limits of the images in bytes: 1.3 times the sizes with the best known layout.
    static let sizes = ["htop": 73_000, "colors": 34_000]

    @Test(arguments: CastSamples.real)
    func `a real recording becomes a small image`(_ path: String) throws {
        let source = try RecordingFile(opening: path, diagnostics: RecordedNotes())
        let animation = try Animation(source, AnimationRequest())
        var renderer = AnimatedSVGRenderer()
        let end = try animation.play(source) { screen, time throws(VTError) in try renderer.add(screen, at: time) }
        let name = path.split(separator: "/").last?.dropLast(5) ?? ""
        #expect(renderer.document(endingAt: end).utf8.count <= Self.sizes[String(name)] ?? 128_000)
    }
}
