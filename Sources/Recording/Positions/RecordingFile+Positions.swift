import Core

/// Resolving positions in a recording.
extension RecordingFile {
    /// Returns what is needed to resolve positions, for which the recording is read if necessary.
    ///
    /// - Throws: Errors from reading the recording.
    func survey(for positions: [RecordingPosition]) throws(VTError) -> RecordingSurvey {
        var survey = RecordingSurvey(for: positions)
        guard positions.contains(where: \.needsSurvey) else { return survey }
        try read { item in
            if case .event(let event) = item { survey.consume(event) }
        }
        return survey
    }

    /// Resolves the part between two positions; nil means the start or end of the recording.
    ///
    /// The returned end is nil, and the part includes the last event, if no end was given or the given position is the
    /// end itself, such as `100%` or `-0`.
    ///
    /// - Throws: `not-found` when a position does not exist, `usage` when the end is before the start, and errors
    ///   from reading the recording.
    package func points(
        from start: RecordingPosition?,
        to end: RecordingPosition?
    ) throws(VTError) -> (start: RecordingPoint, end: RecordingPoint?) {
        let survey = try survey(for: [start, end].compactMap { $0 })
        let first = if let start { try survey.resolve(start) } else { RecordingPoint(time: .start) }
        guard let end, !end.isEnd else { return (first, nil) }
        let last = try survey.resolve(end)
        try RecordingPoint.checkOrder(from: first, to: last)
        return (first, last)
    }
}
