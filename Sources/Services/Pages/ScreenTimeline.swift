import Core
import Recording
import Synchronization
import System
import Terminal

/// The screens of a recording at any time, in constant memory: the events are in a temporary file, and the screens at
/// some of them, the keyframes, in memory.
final class ScreenTimeline: Sendable {
    private struct Keyframe {
        var emulator: Emulator
        /// The time of the last event that the screen reflects, in microseconds.
        var time: Int64 = 0
        /// The end of that event in the file.
        var offset: Int64 = 0
        /// The amount of output that the screen reflects.
        var outputBytes: UInt64 = 0

        mutating func apply(_ event: RecordingEvent) {
            time = event.time.microseconds
            switch event.content {
            case .output(let bytes):
                emulator.feed(bytes)
                outputBytes += UInt64(bytes.count)
                _ = emulator.takeAnswers()
                _ = emulator.takeClipboard()
            case .resize(let size): emulator.resize(to: size)
            case .input, .marker, .exit, .other: break
            }
        }
    }

    private struct State {
        var keyframes: [Keyframe] = []
        /// The screen at the end.
        var last: Keyframe?
        /// The distance between keyframes in the file.
        var spacing: Int64 = 256 << 10
        var unwritten: [UInt8] = []
    }

    private static let keyframeLimit = 64
    private static let pieceBytes = 64 << 10

    private let file: SpoolFile
    private let state = Mutex(State())

    /// - Throws: `cannot-create`.
    init() throws(VTError) {
        file = try SpoolFile()
    }

    /// In microseconds.
    var duration: Int64 { state.withLock { $0.last?.time ?? 0 } }

    /// Adds the next part of the recording.
    func append(_ item: RecordingItem) throws(VTError) {
        try state.withLock { state throws(VTError) in
            switch item {
            case .header(let header):
                let start = Keyframe(emulator: Emulator(size: header.size, scrollbackBytes: 0))
                (state.last, state.keyframes) = (start, [start])
            case .event(let event):
                guard var last = state.last, case let bytes = Self.encoded(event), !bytes.isEmpty else { return }
                if last.offset - (state.keyframes.last?.offset ?? 0) >= state.spacing {
                    state.keyframes.append(last)
                    if state.keyframes.count > Self.keyframeLimit { Self.thin(&state) }
                }
                // Without the copy, the emulator would be copied at each event.
                state.last = nil
                last.apply(event)
                last.offset += Int64(bytes.count)
                state.last = last
                state.unwritten += bytes
                if state.unwritten.count >= Self.pieceBytes { try flush(&state) }
            }
        }
    }

    /// Writes the rest of the events to the file.
    func finish() throws(VTError) {
        try state.withLock { state throws(VTError) in try flush(&state) }
    }

    /// The screen at a time, or at the next step after it, as JSON for pages; blocks.
    func show(
        _ time: Int64,
        _ step: PageFrame.Step,
        on painted: PaintedScreen
    ) throws(VTError) -> PaintedScreen {
        let (keyframe, end) = state.withLock { state in
            (state.keyframes.last { $0.time <= time } ?? state.keyframes.first, state.last?.offset ?? 0)
        }
        guard var screen = keyframe else { return painted }
        var (target, isFound) = (min(time, duration), step == .none)
        var reader = EventReader(file, from: screen.offset, to: end)
        while let event = try reader.next() {
            if event.time.microseconds > target {
                if isFound { break }
                isFound = event.code == (step == .output ? "o" : "m")
                if isFound { target = event.time.microseconds }
            }
            screen.apply(event)
        }
        var painted = painted
        let seconds = Double(isFound ? target : duration) / 1_000_000
        painted.show(screen.emulator, at: screen.outputBytes, time: seconds)
        return painted
    }

    // MARK: - Events

    private func flush(_ state: inout State) throws(VTError) {
        try file.append(state.unwritten)
        state.unwritten = []
    }

    /// Keeps every second keyframe.
    private static func thin(_ state: inout State) {
        state.keyframes = state.keyframes.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        state.spacing *= 2
    }

    /// The event in the file: its time, code, length and data; empty for events that no screen reflects.
    private static func encoded(_ event: RecordingEvent) -> [UInt8] {
        guard ["o", "r", "m"].contains(event.code), let code = event.code.utf8.first else { return [] }
        var bytes: [UInt8] = []
        bytes.appendBigEndian(UInt64(event.time.microseconds))
        bytes.append(code)
        bytes.appendString(event.data)
        return bytes
    }

    private struct EventReader {
        private let file: SpoolFile
        private var position: Int64
        private let end: Int64
        private var bytes: ArraySlice<UInt8> = []

        init(_ file: SpoolFile, from start: Int64, to end: Int64) {
            (self.file, position, self.end) = (file, start, end)
        }

        mutating func next() throws(VTError) -> RecordingEvent? {
            while true {
                var reader = WireReader(bytes)
                if let time = reader.uint64(), let code = reader.byte(), let data = reader.string() {
                    bytes = reader.remainder()
                    return RecordingEvent(
                        time: RecordingTime(microseconds: Int64(clamping: time)),
                        code: String(UnicodeScalar(code)),
                        data: Array(data)
                    )
                }
                let limit = Int(min(Int64(ScreenTimeline.pieceBytes), end - position))
                guard limit > 0, case let more = try file.read(at: position, limit: limit), !more.isEmpty else {
                    return nil
                }
                position += Int64(more.count)
                bytes += more
            }
        }
    }
}
