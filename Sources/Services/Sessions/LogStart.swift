import Core

/// Where to start reading a session's output.
package enum LogStart: Hashable, Sendable {
    case offset(UInt64)
    /// This number of lines at the end of the output.
    case lastLines(Int)
    /// Output written since this time.
    case time(Timestamp)
    /// Output written within this duration before now, by the clock of the session's machine.
    case last(Duration)
}
