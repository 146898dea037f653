import Core
import Recording

/// Converts a session's log to a recording, event by event, even while the log is being written.
///
/// Times are taken from the timeline. The output of one line in the timeline becomes one event, or several with the
/// same time if it is long. Memory use is bounded.
struct SessionRecording {
    private let log: any SessionLog
    private let includesInput: Bool
    private let keepsBytes: Bool
    private var timeline = SessionTimeline()
    private var decoder = OutputDecoder()
    /// With `keepsBytes`, the bytes that have not been returned in an event yet.
    private var held: [UInt8] = []
    /// The start of the recording, in microseconds since 1970.
    private let start: Int64
    private(set) var header: RecordingHeader
    private var size: TerminalSize
    /// The output to read next: when it was written, and its end.
    private var output: (time: RecordingTime, end: UInt64)?
    /// The offset of the next output bytes.
    private var position: UInt64 = 0
    /// The end of the output to record; `UInt64.max` if later output is included.
    private let outputLimit: UInt64
    private var isPastLimit = false
    /// Bytes at `position` that have already been read.
    private var window: ArraySlice<UInt8> = []
    private var queue: ArraySlice<RecordingEvent> = []
    /// The turns that have started and have not ended; shells repeat marks.
    private var openTurns: Set<UInt64> = []
    private static let openTurnLimit = 4096
    /// Whether the timeline's exit event has been reached.
    private(set) var isEnded = false
    private var gap: Range<UInt64>?

    private static let windowBytes = 256 << 10
    private static let eventBytes = 64 << 10

    /// Reads the session's log and timeline from their start.
    ///
    /// With `follows`, output that is written later is included. A raw recording returns output unchanged;
    /// for the others, output is converted to UTF-8 (see `OutputDecoder`). The number of events is the same, except for an
    /// incomplete character at the end of the output: unchanged, it is part of the last output event; converted, it is
    /// a separate event.
    init(
        _ session: Session,
        log: any SessionLog,
        _ request: RecordRequest,
        follows: Bool
    ) throws(VTError) {
        self.log = log
        outputLimit = follows ? .max : try log.endOffset()
        includesInput = request.includesInput
        keepsBytes = request.format == .raw
        let first = try log.events(from: 0).events
        let begun = session.startedAt ?? session.createdAt
        start = first.first?.time ?? begun.seconds * 1_000_000
        // If the oldest events have been discarded, the first size in the remaining ones applies from the start.
        let told = first.lazy.compactMap { event in
            if case .resize(let size) = event.kind { size } else { nil as TerminalSize? }
        }.first
        size = told ?? session.size
        header = RecordingHeader(size: size)
        header.timestamp = start / 1_000_000
        header.terminalType = session.terminalType
        header.command = session.command.map { ByteString($0).shellQuoted.repairedText }.joined(separator: " ")
    }

    /// Returns the next event, or nil if there is none yet; unless the session has ended, more may follow.
    mutating func next() throws(VTError) -> RecordingEvent? {
        while true {
            if let event = queue.popFirst() { return event }
            if let event = try nextOutput() { return event }
            guard !isEnded, !isPastLimit, let event = try timeline.next(in: log) else { return nil }
            try apply(event)
        }
    }

    /// Returns the output found missing from the log since the previous call; nil if there was none.
    mutating func takeGap() -> Range<UInt64>? {
        defer { gap = nil }
        return gap
    }

    /// The output in the log that the timeline does not cover, once all events have been returned; nil if there is
    /// none.
    func missingOutput() throws(VTError) -> Range<UInt64>? {
        let end = min(try log.endOffset(), outputLimit)
        return position < end ? position..<end : nil
    }

    /// Returns the bytes of an incomplete character at the end of the output; nil if there are none.
    mutating func finish() -> RecordingEvent? {
        defer { held = [] }
        let text = decoder.finish()
        let rest = keepsBytes ? held : text
        return rest.isEmpty ? nil : RecordingEvent(time: lastTime, .output(rest))
    }

    private var lastTime = RecordingTime.start

    private mutating func apply(_ event: SessionLogEvent) throws(VTError) {
        let time = RecordingTime(microseconds: event.time - start)
        switch event.kind {
        case .output(let end):
            isPastLimit = position >= outputLimit
            if !isPastLimit { output = (time, end) }
        case .resize(let size):
            guard size != self.size else { return }
            self.size = size
            queue.append(RecordingEvent(time: time, .resize(size)))
        case .typed(let text):
            if includesInput { queue.append(RecordingEvent(time: time, .input(Array(text.utf8)))) }
        case .input: break
        case .shell(let mark): apply(mark, at: time)
        case .marker(let label): queue.append(RecordingEvent(time: time, .marker(label)))
        case .exit(let status):
            isEnded = true
            if let rest = finish() { queue.append(rest) }
            queue.append(RecordingEvent(time: time, .exit(Int32(status.shellStatus))))
        }
    }

    /// Adds the start or the end of a turn.
    private mutating func apply(_ mark: ShellMark, at time: RecordingTime) {
        guard mark.kind.isOfTurn else { return }
        if case .command = mark.kind {
            guard openTurns.count < Self.openTurnLimit, openTurns.insert(mark.turn).inserted else { return }
            queue.append(.turn(mark.turn, status: nil, isEnd: false, at: time))
        } else if openTurns.remove(mark.turn) != nil {
            queue.append(.turn(mark.turn, status: mark.status, isEnd: true, at: time))
        }
    }

    // MARK: - Output

    private mutating func nextOutput() throws(VTError) -> RecordingEvent? {
        while let (time, end) = output, position < end {
            lastTime = time
            let bytes = try read(to: end)
            let text = decoder.decode(bytes)
            if keepsBytes { held += bytes }
            guard !text.isEmpty else { continue }
            defer { held = [] }
            return RecordingEvent(time: time, .output(keepsBytes ? held : text))
        }
        output = nil
        return nil
    }

    /// Returns the next bytes up to `end`; empty if some are missing, which `gap` then reports.
    ///
    /// The number of bytes depends only on the position and `end`, so that all recordings of a session have the same
    /// events.
    private mutating func read(to end: UInt64) throws(VTError) -> [UInt8] {
        let count = min(Self.eventBytes, Int(clamping: end - position))
        if window.count < count {
            window = try log.read(from: position, limit: Self.windowBytes)[...]
            // Checked after reading, because bytes discarded during the read appear as zeros.
            let first = try log.firstOffset()
            if first > position || window.isEmpty {
                skip(to: first > position ? first : end)
                return []
            }
        }
        let bytes = window.prefix(count)
        window = window.dropFirst(bytes.count)
        position += UInt64(bytes.count)
        return Array(bytes)
    }

    private mutating func skip(to offset: UInt64) {
        window = []
        decoder = OutputDecoder()
        gap = (gap?.lowerBound ?? position)..<offset
        position = offset
    }
}
