/// Iterates over the events kept in a session's log, even while the log is being written.
///
/// Times and output ends are monotonic: events that violate this are skipped. Memory use is bounded.
package struct SessionTimeline: Sendable {
    private var position: UInt64 = 0
    private var events: ArraySlice<SessionLogEvent> = []
    private var time = Int64.min
    private var end: UInt64 = 0

    package init() {}

    /// Returns the next event, or nil if there is none yet; unless the last event was the exit, more may follow later.
    ///
    /// All calls must pass the same log.
    package mutating func next(in log: any SessionLog) throws(VTError) -> SessionLogEvent? {
        while true {
            while let event = events.popFirst() {
                if follows(event) { return event }
            }
            let page = try log.events(from: position)
            position = page.next
            events = page.events[...]
            guard !events.isEmpty else { return nil }
        }
    }

    private mutating func follows(_ event: SessionLogEvent) -> Bool {
        guard event.time >= time else { return false }
        if case .output(let end) = event.kind {
            guard end > self.end else { return false }
            self.end = end
        }
        time = event.time
        return true
    }
}
