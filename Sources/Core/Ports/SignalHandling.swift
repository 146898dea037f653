/// Which signals a run takes over, and what they do to it.
package enum SignalHandling: Hashable, Sendable {
    /// None: every signal has its default effect.
    case none
    /// A write to a pipe without a reader fails, instead of ending the process.
    case brokenPipe
    /// As `brokenPipe`; HUP, INT and TERM cancel the run, and then end the process.
    case cancel
    /// As `cancel`, for every signal that ends a process and does not report a fault (signal(7)): for runs that change
    /// the terminal. With `suspends`, TSTP is an element of `Interruption.suspensions`.
    case cancelAll(suspends: Bool)
    /// As `brokenPipe`; HUP, INT and TERM are elements of `Interruption.signals`, for the command to act on.
    case forward

    /// Whether the first signal cancels the run.
    package var cancels: Bool {
        switch self {
        case .cancel, .cancelAll: true
        case .none, .brokenPipe, .forward: false
        }
    }
}
