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

    /// Whether this point is after the event with a given number (starting at 1) and time.
    package func isAfter(_ number: Int, _ time: RecordingTime) -> Bool {
        event.map { number < $0 } ?? (time < self.time)
    }

    /// Whether an event is at or before this point.
    package func includes(_ number: Int, _ time: RecordingTime) -> Bool {
        event.map { number <= $0 } ?? (time <= self.time)
    }
}
