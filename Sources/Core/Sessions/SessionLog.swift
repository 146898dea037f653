/// What a session has written, byte for byte, and when.
package protocol SessionLog: Sendable {
    /// The first byte that is still kept.
    func firstOffset() throws(VTError) -> UInt64

    /// Where the output ends now.
    func endOffset() throws(VTError) -> UInt64

    /// Returns up to `limit` bytes from an offset; none at the end or behind it.
    ///
    /// Bytes before `firstOffset` are gone: whoever reads asks for it after the bytes, and takes those before it as gap.
    func read(from offset: UInt64, limit: Int) throws(VTError) -> [UInt8]

    /// Where the output stood at a point in time, or the end when that is later than all output.
    func offset(at time: Timestamp) throws(VTError) -> UInt64

    /// Returns the next events of the timeline that are kept, the oldest first, from a position on.
    ///
    /// The first position is 0; others come with an answer. No events: there are none now, though there may be later.
    func events(from position: UInt64) throws(VTError) -> SessionLogPage
}

/// Some events of a timeline, and the position where those after them begin.
package struct SessionLogPage: Sendable {
    package var events: [SessionLogEvent]
    package var next: UInt64

    package init(_ events: [SessionLogEvent], next: UInt64) {
        self.events = events
        self.next = next
    }
}
