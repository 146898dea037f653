/// The events of a session's log, one by one, as far as they are kept, while the log is written and after.
///
/// Times and the ends of output never go back: events that would make them are left out. Little is in memory at a time.
package struct SessionTimeline: Sendable {
    private var position: UInt64 = 0
    private var events: ArraySlice<SessionLogEvent> = []
    private var time = Int64.min
    private var end: UInt64 = 0

    package init() {}

    /// Returns the next event, or nil when there is none now; there may be one later, unless the last was the exit.
    ///
    /// All calls are about the same log.
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
