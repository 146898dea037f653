/// The stage of a session's life cycle.
package enum SessionState: String, CaseIterable, JSONReadable, Sendable {
    /// The program is not running yet.
    case starting
    case running
    /// The program has ended, with a known exit status.
    case exited
    /// The holder is gone: whether and how the program ended is unknown.
    case lost
    /// The program could not be started.
    case failed
    /// The record cannot be read, and no holder exists to write a new one.
    case unreadable

    /// Whether the session has a holder.
    package var isLive: Bool {
        self == .starting || self == .running
    }
}
