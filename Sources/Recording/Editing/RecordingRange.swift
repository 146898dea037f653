import Core

/// The part of a recording between two positions.
package struct RecordingRange: Sendable {
    private let start: RecordingPosition?
    private let end: RecordingPosition?

    /// Nil means the start or end of the recording.
    package init(from start: RecordingPosition?, to end: RecordingPosition?) {
        self.start = start
        self.end = end
    }

    /// Whether the recording must be read once before the range can be resolved.
    package var needsSurvey: Bool {
        start?.needsSurvey == true || end?.needsSurvey == true
    }

    /// Resolves the range, reading the recording if necessary.
    ///
    /// The returned end is nil, and the range includes the last event, if no end was given or the given position is the
    /// end itself, such as `100%` or `-0`.
    ///
    /// - Throws: `not-found` when a position does not exist, `usage` when the end is before the start, and errors
    ///   from reading the recording.
    package func points(in file: RecordingFile) throws(VTError) -> (start: RecordingPoint, end: RecordingPoint?) {
        let positions = [start, end].compactMap { $0 }
        var survey = RecordingSurvey(for: positions)
        if needsSurvey {
            try file.read { item in
                if case .event(let event) = item { survey.consume(event) }
            }
        }
        let first = if let start { try survey.resolve(start) } else { RecordingPoint(time: .start) }
        guard let end, !end.isEnd else { return (first, nil) }
        let last = try survey.resolve(end)
        try RecordingPoint.checkOrder(from: first, to: last)
        return (first, last)
    }
}
