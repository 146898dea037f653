import Core
import CoreTestSupport
import Glibc
import Recording
import Services
import System
import TestSupport
import Testing

/// Plays on a clock that never advances, so that the requested waits are the times of the events.
struct PlayServiceTests {
    private let scratch: ScratchDirectory
    private let clock = EagerClock()
    private let notes = RecordedNotes()
    private static let recording = """
        {"version": 3, "term": {"cols": 80, "rows": 24}}
        [0.1, "o", "a"]
        [0.2, "o", "\\u001b[6nb\\u0007"]
        [10.0, "m", "here"]
        [0.5, "i", "typed"]
        [0.5, "o", "\\u001b[?1049hc"]
        [0.25, "x", "0"]

        """

    init() throws {
        scratch = try ScratchDirectory()
    }

    private func play(
        _ text: String = recording,
        on terminal: FakeTerminal = FakeTerminal(hasKeyboard: false, hasScreen: false),
        _ change: (inout PlayRequest) -> Void = { _ in }
    ) async throws -> (text: String, waits: [Duration], end: PlayEnd) {
        var request = PlayRequest()
        change(&request)
        let path = try scratch.write(text, to: "a.cast")
        let service = PlayService(World(clock: clock, diagnostics: notes))
        let end = try await service.play(try source(path), request, on: terminal)
        return (terminal.text, clock.waits, end)
    }

    private func source(_ path: String) throws -> RecordingFile {
        try RecordingFile(opening: path)
    }

    @Test func `without a terminal, writes the bytes of the recording on time`() async throws {
        let (text, waits, end) = try await play()
        #expect(text == "a\u{1B}[6nb\u{07}\u{1B}[?1049hc")
        #expect(waits == [100, 300, 10_300, 10_800, 11_300, 11_550].map { .milliseconds($0) })
        #expect(end == .ended)
    }

    @Test func `a terminal receives no queries, and is reset at the end`() async throws {
        let terminal = FakeTerminal(hasKeyboard: false)
        #expect(try await play(on: terminal).text == "ab\u{1B}[?1049hc")
        #expect(terminal.reset == "\u{1B}[?1049l")
    }

    @Test func `applies the speed and the idle limit`() async throws {
        let waits = try await play {
            $0.speed = 2
            $0.idleLimit = .seconds(1)
        }.waits
        #expect(waits == [50, 150, 650, 900, 1150, 1275].map { .milliseconds($0) })
    }

    @Test func `does not wait if pauses are disabled`() async throws {
        #expect(try await play { $0.speed = nil }.waits == [])
    }

    @Test func `the recording's own idle limit applies unless overridden`() async throws {
        let text = Self.recording.replacing("24}}", with: "24}, \"idle_time_limit\": 0.2}")
        #expect(try await play(text).waits.last == .milliseconds(1100))
    }

    @Test(
        arguments: [
            ("0.2", nil, "DUMP\u{1B}[?1049hc", 11_350), ("event:4", nil, "DUMP\u{1B}[?1049hc", 750),
            (nil, "marker:here", "a\u{1B}[6nb\u{07}", 10_300),
        ] as [(String?, String?, String, Int)]
    )
    func `a part starts with the screen at its start position`(
        _ from: String?,
        _ to: String?,
        _ expected: String,
        _ length: Int
    ) async throws {
        let (text, waits, _) = try await play {
            $0.start = from.flatMap { try? RecordingPosition(parsing: $0) }
            $0.end = to.flatMap { try? RecordingPosition(parsing: $0) }
        }
        #expect(text.hasSuffix(expected.replacing("DUMP", with: "")))
        #expect(text.hasPrefix("\u{1B}\\") == expected.hasPrefix("DUMP"))
        #expect(waits.last.map { $0 <= .milliseconds(length) } == true)
    }

    @Test func `plays a truncated recording as far as possible`() async throws {
        let text = try await play(String(Self.recording.prefix(80))).text
        #expect(text == "a")
        #expect(notes.all.count == 1)
    }

    @Test(arguments: ["", "nonsense\n", #"{"version": 7}"# + "\n"])
    func `rejects a file that is not a recording`(_ text: String) async throws {
        let error = try await failure { _ = try await play(text) }
        #expect(error.code == .dataInvalid)
    }

    @Test func `does not loop a recording without events`() async throws {
        let header = String(Self.recording.prefix { $0 != "\n" }) + "\n"
        #expect(try await play(header) { $0.loops = true }.end == .ended)
    }

    @Test func `an endless loop without pauses can be canceled`() async throws {
        let task = Task {
            try await play {
                $0.loops = true
                $0.speed = nil
            }.end
        }
        task.cancel()
        let result = await task.result
        #expect(throws: VTError.self) { try result.get() }
    }

    @Test func `rejects a position in percent for a stream, which cannot be read twice`() async throws {
        let error = try await failure {
            var request = PlayRequest()
            request.start = try RecordingPosition(parsing: "50%")
            let (output, input) = try DescriptorPair.pipe().release()
            defer { close(output) }
            let source = try RecordingFile(opening: "/dev/fd/\(output)")
            _ = BlockingIO.write(input, Array(Self.recording.utf8))
            close(input)
            let service = PlayService(World(clock: clock, diagnostics: notes))
            _ = try await service.play(source, request, on: FakeTerminal(hasKeyboard: false))
        }
        #expect(error.code == .usage)
    }
}
