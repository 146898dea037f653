import Core
import Recording
import Terminal

/// Writes a session's recording incrementally, as its data becomes available.
struct SessionExport {
    private let request: RecordRequest
    private let clock: any Clock<Duration>
    private let diagnostics: any Diagnostics
    private var recording: SessionRecording
    private var cut: RecordingCut
    /// Nil once it has been written.
    private var header: RecordingHeader?
    private var encoder: RecordingEncoder
    private var writtenBytes: Int64 = 0
    private var isFull = false

    /// The amount of data that is written at once.
    private static let batchBytes = 64 << 10

    init(
        _ session: Session,
        log: any SessionLog,
        _ request: RecordRequest,
        clock: any Clock<Duration>,
        _ diagnostics: any Diagnostics
    ) async throws(VTError) {
        (self.request, self.clock, self.diagnostics) = (request, clock, diagnostics)
        recording = try SessionRecording(session, log: log, request, follows: request.follows)
        encoder = RecordingEncoder(request.format)
        let positions = [request.start, request.end].compactMap(\.self)
        var survey = RecordingSurvey(for: positions)
        if positions.contains(where: \.needsSurvey) {
            // A session that keeps writing would never be read to its end.
            var events = try SessionRecording(session, log: log, request, follows: false)
            var lastPause = ContinuousClock.now
            while let event = try events.next() {
                survey.consume(event)
                try await Self.pause(after: &lastPause, on: clock)
            }
        }
        var header = recording.header
        header.title = request.title
        header.idleTimeLimit = request.idleLimit.map { Double($0.wholeMilliseconds) / 1000 }
        header.theme = try request.theme.map(Self.theme)
        let start = try request.start.map { position throws(VTError) in try survey.resolve(position) }
        let end = try request.end.flatMap { $0.isEnd ? nil : $0 }.map { position throws(VTError) in
            try survey.resolve(position)
        }
        try RecordingPoint.checkOrder(from: start, to: end)
        cut = RecordingCut(from: start, to: end)
        self.header = header
    }

    private static func theme(_ name: String) throws(VTError) -> RecordingTheme {
        guard let theme = Theme.named(name),
            let colors = RecordingTheme(
                foreground: theme.foreground.text,
                background: theme.background.text,
                palette: theme.palette.map(\.text)
            )
        else { throw VTError(.usage, "unknown theme '\(name)'") }
        return colors
    }

    /// Writes everything that is available; returns true if nothing more will be written.
    mutating func advance(to sink: any ByteSink) async throws(VTError) -> Bool {
        if let header {
            self.header = nil
            for item in cut.consume(.header(header)) { write(item) }
        }
        var lastPause = ContinuousClock.now
        while !isFull, !cut.isOver, let event = try recording.next() {
            if !cut.hasBegun { try await Self.pause(after: &lastPause, on: clock) }
            for item in cut.consume(.event(event)) { write(item) }
            reportGap()
            if encoder.count >= Self.batchBytes { try await flush(to: sink) }
        }
        reportGap()
        try await flush(to: sink)
        return isFull || cut.isOver || recording.isEnded
    }

    /// Pauses from time to time, because what precedes the recorded part can be long.
    ///
    /// After `Task.yield`, an event loop would continue with this task, without reading sockets.
    private static func pause(
        after lastPause: inout ContinuousClock.Instant,
        on clock: any Clock<Duration>
    ) async throws(VTError) {
        guard ContinuousClock.now - lastPause > .milliseconds(20) else { return }
        try await clock.pause(for: .milliseconds(1))
        lastPause = .now
    }

    /// Writes the data that is known only at the end.
    mutating func finish(to sink: any ByteSink) async throws(VTError) {
        if !isFull, !cut.isOver, let rest = recording.finish() {
            for item in cut.consume(.event(rest)) { write(item) }
        }
        for item in cut.finish() { write(item) }
        encoder.finish()
        try await flush(to: sink)
        if request.end == nil, !isFull, let missing = try recording.missingOutput() {
            diagnostics.note(
                "the timeline is incomplete: output from offset \(missing.lowerBound) to \(missing.upperBound) "
                    + "is not in the recording"
            )
        }
        if isFull { diagnostics.note("the recording is truncated, because it has reached its maximum size") }
    }

    private mutating func reportGap() {
        // What precedes the recorded part is not missing from it.
        guard let gap = recording.takeGap(), cut.hasBegun else { return }
        diagnostics.note("output from offset \(gap.lowerBound) to \(gap.upperBound) is not in the log")
    }

    // MARK: - Bytes

    private mutating func write(_ item: RecordingItem) {
        guard !isFull else { return }
        guard let limit = request.limitBytes else { return encoder.write(item) }
        let before = encoder
        encoder.write(item)
        guard writtenBytes + Int64(encoder.count) > limit else { return }
        encoder = before
        isFull = true
        if case .event(let event) = item, case .output(let output) = event.content {
            encoder = start(of: output, at: event.time, within: limit)
        }
    }

    /// The encoder after the longest part of an output event that does not exceed the limit, found by bisection because
    /// the encoded length of each byte differs.
    private func start(of output: [UInt8], at time: RecordingTime, within limit: Int64) -> RecordingEncoder {
        var (best, length, excess) = (encoder, 0, output.count)
        while excess - length > 1 {
            let middle = (length + excess) / 2
            var end = middle
            // The output in all other formats is UTF-8.
            while request.format != .raw, end > 0, output[end] & 0xC0 == 0x80 { end -= 1 }
            var trial = encoder
            if end > 0 { trial.write(.event(RecordingEvent(time: time, .output(Array(output[..<end]))))) }
            if writtenBytes + Int64(trial.count) > limit {
                excess = middle
            } else {
                (best, length) = (trial, middle)
            }
        }
        return best
    }

    private mutating func flush(to sink: any ByteSink) async throws(VTError) {
        var bytes = encoder.take()
        guard !bytes.isEmpty else { return }
        if let limit = request.limitBytes, writtenBytes + Int64(bytes.count) > limit {
            // The size of a text recording is known only once its lines are complete, so drop those beyond the limit.
            let room = bytes.prefix(Int(limit - writtenBytes))
            bytes = Array(room[..<(room.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? room.startIndex)])
            isFull = true
        }
        writtenBytes += Int64(bytes.count)
        if !bytes.isEmpty { try await sink.write(bytes) }
    }
}
