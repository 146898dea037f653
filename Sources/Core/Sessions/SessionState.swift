/// The stage of a session's life cycle.
package enum SessionState: String, CaseIterable, JSONReadable, Sendable {
    /// The program is not running yet.
    case starting
    case running
    /// All processes of the session are stopped, and `resume` continues them.
    case frozen
    /// The shell has been ended on purpose, and `resume` starts a new one.
    case paused
    /// The program has ended, with a known exit status.
    case exited
    /// The holder is gone: whether and how the program ended is unknown.
    case lost
    /// The program could not be started.
    case failed
    /// The record cannot be read, and no holder exists to write a new one.
    case unreadable

    /// Whether the session has not ended; it then has a holder, except that a paused session may have none.
    package var isLive: Bool {
        switch self {
        case .starting, .running, .frozen, .paused: true
        case .exited, .lost, .failed, .unreadable: false
        }
    }

    /// Whether the session neither runs nor has ended: `frozen` or `paused`.
    package var isSuspended: Bool { self == .frozen || self == .paused }
}
