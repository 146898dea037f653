import Core

/// Where reading a session's output begins.
package enum LogStart: Hashable, Sendable {
    case offset(UInt64)
    /// So many lines before the end.
    case lastLines(Int)
    /// What was written since then.
    case time(Timestamp)
    /// What was written in so much time before now, by the clock of the session's machine.
    case last(Duration)
}

/// Takes the output of a session, in order.
package protocol OutputReceiver: Sendable {
    /// Returns false when no more is wanted.
    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool

    /// Hears that the bytes from `start` up to `end` are no longer kept.
    func gap(from start: UInt64, to end: UInt64) async throws(VTError)

    /// Hears of another size of the terminal, between what was written before and after; only while output is followed.
    func resized(to size: TerminalSize) async throws(VTError)
}

extension OutputReceiver {
    package func resized(to size: TerminalSize) async throws(VTError) {}
}
