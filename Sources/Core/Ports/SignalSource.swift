/// Sets up signal handling for a run.
package protocol SignalSource: Sendable {
    /// Starts handling the signals selected by `handling`; must be called before the run starts any thread.
    ///
    /// - Throws: `system`.
    func take(_ handling: SignalHandling) throws(VTError) -> Interruption
}

/// The signals that a run handles, and their effects on it.
package enum SignalHandling: Hashable, Sendable {
    /// No signal is handled: each one has its default effect.
    case none
    /// A write to a pipe without a reader fails, instead of terminating the process.
    case brokenPipe
    /// Like `brokenPipe`; in addition, HUP, INT and TERM cancel the run, and then terminate the process.
    case cancel
    /// Like `cancel`, but for every signal that terminates a process by default and does not indicate a fault
    /// (signal(7)).
    ///
    /// Used for runs that change the terminal. With `suspends`, TSTP is reported in `Interruption.suspensions`.
    case cancelAll(suspends: Bool)
    /// Like `brokenPipe`; in addition, HUP, INT and TERM are reported in `Interruption.signals`, and the command acts
    /// on all of them.
    case forward
    /// Like `forward`, but for the signals of `cancelAll`, including TSTP.
    case forwardAll

    /// Whether the first signal cancels the run.
    package var cancels: Bool {
        switch self {
        case .cancel, .cancelAll: true
        case .none, .brokenPipe, .forward, .forwardAll: false
        }
    }
}
