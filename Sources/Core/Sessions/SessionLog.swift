/// The output of a session, byte for byte, with timestamps.
package protocol SessionLog: Sendable {
    /// The offset of the first byte that is still kept.
    func firstOffset() throws(VTError) -> UInt64

    /// The current end of the output.
    func endOffset() throws(VTError) -> UInt64

    /// Returns up to `limit` bytes from an offset; none at or after the end.
    ///
    /// Bytes before `firstOffset` are no longer available: check `firstOffset` after reading, and treat the bytes
    /// before it as a gap.
    func read(from offset: UInt64, limit: Int) throws(VTError) -> [UInt8]

    /// The end of the output at a point in time, or the current end if all output is older.
    func offset(at time: Timestamp) throws(VTError) -> UInt64

    /// Returns the next available events of the timeline, oldest first, starting at a position.
    ///
    /// The first position is 0; each page contains the position of the next one. An empty page means that there are no
    /// more events yet.
    func events(from position: UInt64) throws(VTError) -> SessionLogPage

    /// Calls `body` with the marks of the starts and ends of turns, newest first, until it returns false.
    ///
    /// They are kept longer than the output. A mark can occur twice.
    func turnMarks(_ body: (SessionLogEvent) throws(VTError) -> Bool) throws(VTError)
}

extension SessionLog {
    package func turnMarks(_ body: (SessionLogEvent) throws(VTError) -> Bool) throws(VTError) {
        var timeline = SessionTimeline()
        var marks: [SessionLogEvent] = []
        while let event = try timeline.next(in: self) {
            if case .shell(let mark) = event.kind, mark.kind.isOfTurn { marks.append(event) }
        }
        for mark in marks.reversed() {
            guard try body(mark) else { return }
        }
    }
}

/// A page of timeline events, and the position of the next page.
package struct SessionLogPage: Sendable {
    package var events: [SessionLogEvent]
    package var next: UInt64

    package init(_ events: [SessionLogEvent], next: UInt64) {
        self.events = events
        self.next = next
    }
}

/// Waits until something has been written to a session's log since the last call, or since watching started.
///
/// Returns false once the session's holder has exited and nothing more will be written.
package typealias SessionLogChanges = @Sendable () async throws(VTError) -> Bool
