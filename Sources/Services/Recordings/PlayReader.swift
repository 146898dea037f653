import Core
import Recording

/// Reads the events in a part of a recording, with their playback times; can start again from the beginning of the
/// part.
final class PlayReader {
    /// An event, and its playback time in microseconds at normal speed.
    struct Moment {
        var event: RecordingEvent
        var time: Int64
        /// The event's number in the part that is played, starting at 1.
        var number: Int
    }

    private let source: RecordingFile
    private let request: PlayRequest
    private var reader = AsciicastReader(.lenient)
    private var cut = RecordingCut()
    private var isCutFinished = false
    private var queue: ArraySlice<RecordingItem> = []
    private var points: (start: RecordingPoint?, end: RecordingPoint?)
    private var idleLimit = Int64.max
    private var lastTime = RecordingTime.start
    private var time: Int64 = 0
    private var number = 0
    private var isFinished = false

    /// - Throws: `usage` for a position that requires a seekable file; `data.invalid`.
    init(_ source: RecordingFile, _ request: PlayRequest) async throws(VTError) {
        self.source = source
        self.request = request
        let positions = [request.start, request.end].compactMap(\.self)
        var survey = RecordingSurvey(for: positions)
        if positions.contains(where: \.needsSurvey) {
            while let item = try await nextItem() {
                if case .event(let event) = item { survey.consume(event) }
            }
            guard try source.rewind() else {
                throw VTError(
                    .usage,
                    "cannot find the position in \(source.name), which cannot be read twice",
                    hint: "use a regular file, or a time since the start"
                )
            }
            reader = AsciicastReader(.lenient)
            isFinished = false
        }
        points = (
            try request.start.map { position throws(VTError) in try survey.resolve(position) },
            try request.end.flatMap { $0.isEnd ? nil : $0 }.map { position throws(VTError) in
                try survey.resolve(position)
            }
        )
        try RecordingPoint.checkOrder(from: points.start, to: points.end)
        cut = RecordingCut(from: points.start, to: points.end)
    }

    /// Returns to the start of the part; returns false if the source cannot be read again.
    func restart() throws(VTError) -> Bool {
        guard try source.rewind() else { return false }
        reader = AsciicastReader(.lenient)
        cut = RecordingCut(from: points.start, to: points.end)
        queue = []
        (lastTime, time, number, isFinished, isCutFinished) = (.start, 0, 0, false, false)
        return true
    }

    /// The lines that have been skipped or changed so far.
    var notes: RecordingNotes { reader.notes }

    /// Returns the header of the part, after reading up to its first event.
    func header() async throws(VTError) -> RecordingHeader {
        guard case .header(let header) = try await nextOfPart() else {
            throw VTError(.dataInvalid, "\(source.name) is empty")
        }
        let own = header.idleTimeLimit.map { Int64(min($0, 1e9) * 1_000_000) }
        let given = request.idleLimit.map { $0.wholeMilliseconds.multipliedReportingOverflow(by: 1000).partialValue }
        idleLimit = given ?? own ?? .max
        return header
    }

    /// Returns the next event, or nil at the end.
    func next() async throws(VTError) -> Moment? {
        guard case .event(let event) = try await nextOfPart() else { return nil }
        time += min((event.time - lastTime).microseconds, idleLimit)
        lastTime = event.time
        number += 1
        return Moment(event: event, time: time, number: number)
    }

    // MARK: - Items

    /// Returns the next item of the part that is played.
    private func nextOfPart() async throws(VTError) -> RecordingItem? {
        while true {
            if let item = queue.popFirst() { return item }
            guard !cut.isOver, let item = try await nextItem() else {
                queue = isCutFinished ? [] : cut.finish()[...]
                isCutFinished = true
                return queue.popFirst()
            }
            queue = cut.consume(item)[...]
        }
    }

    private func nextItem() async throws(VTError) -> RecordingItem? {
        do throws(VTError) {
            while true {
                if let item = try reader.next() { return item }
                guard !isFinished else { return nil }
                if let bytes = try await source.nextBytes() {
                    reader.append(bytes)
                } else {
                    isFinished = true
                    reader.finish()
                }
            }
        } catch {
            guard error.code == .dataInvalid else { throw error }
            throw VTError(.dataInvalid, "\(source.name): \(error.message)", hint: error.hint)
        }
    }
}
