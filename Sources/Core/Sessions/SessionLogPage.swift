/// A page of timeline events, and the position of the next page.
package struct SessionLogPage: Sendable {
    package var events: [SessionLogEvent]
    package var next: UInt64

    package init(_ events: [SessionLogEvent], next: UInt64) {
        self.events = events
        self.next = next
    }
}
