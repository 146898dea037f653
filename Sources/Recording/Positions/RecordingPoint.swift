import Core

/// A point between the events of a recording.
package struct RecordingPoint: Hashable, Sendable {
    package var time: RecordingTime
    /// The number of the event at this point, starting at 1, if the position specified an event or a marker; at the
    /// end, the number of events plus 1.
    package var event: Int?

    package init(time: RecordingTime, event: Int? = nil) {
        self.time = time
        self.event = event
    }

    /// Checks the order of the start and end of a part; nil means the start or end of the recording.
    ///
    /// - Throws: `usage` when the end is before the start.
    package static func checkOrder(from start: RecordingPoint?, to end: RecordingPoint?) throws(VTError) {
        guard let start, let end else { return }
        let isReversed =
            if let first = start.event, let last = end.event { last < first } else { end.time < start.time }
        guard isReversed else { return }
        throw VTError(.usage, "the end at \(end.time.clockText) is before the start at \(start.time.clockText)")
    }

    /// Whether this point is after the event with a given number (starting at 1) and time.
    package func isAfter(_ number: Int, _ time: RecordingTime) -> Bool {
        event.map { number < $0 } ?? (time < self.time)
    }

    /// Whether an event is at or before this point.
    package func includes(_ number: Int, _ time: RecordingTime) -> Bool {
        event.map { number <= $0 } ?? (time <= self.time)
    }
}
