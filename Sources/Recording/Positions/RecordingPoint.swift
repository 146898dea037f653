import Core

/// A point between the events of a recording.
package struct RecordingPoint: Hashable, Sendable {
    package var time: RecordingTime
    /// The number of the event at this point, from 1, if the position specified an event.
    package var event: Int?

    package init(time: RecordingTime, event: Int? = nil) {
        self.time = time
        self.event = event
    }

    /// Whether an event precedes this point; `number` is counted from 1.
    package func isAfter(_ number: Int, _ time: RecordingTime) -> Bool {
        event.map { number < $0 } ?? (time < self.time)
    }

    /// Whether an event precedes this point or is at it.
    package func includes(_ number: Int, _ time: RecordingTime) -> Bool {
        event.map { number <= $0 } ?? (time <= self.time)
    }
}
