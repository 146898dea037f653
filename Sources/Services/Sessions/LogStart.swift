import Core

/// Where to start reading a session's output.
package enum LogStart: Hashable, Sendable {
    case offset(UInt64)
    /// This number of lines before the end.
    case lastLines(Int)
    /// Output written since then.
    case time(Timestamp)
    /// Output written within this time before now, by the clock of the session's machine.
    case last(Duration)
}
