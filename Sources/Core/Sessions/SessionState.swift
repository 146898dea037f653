/// Where a session is in its life.
package enum SessionState: String, CaseIterable, Sendable {
    /// Its program is not yet running.
    case starting
    case running
    /// Its program has ended, and how is known.
    case exited
    /// Its holder vanished: how the program ended, and whether it did, is unknown.
    case lost
    /// Its program could not be started.
    case failed
    /// Its record cannot be read, and it has no holder that could write another.
    case unreadable

    /// Whether a holder looks after it.
    package var isLive: Bool {
        self == .starting || self == .running
    }
}
