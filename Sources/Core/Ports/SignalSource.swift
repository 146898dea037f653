/// Takes signals over from the system for a run.
package protocol SignalSource: Sendable {
    /// Takes over the signals that `handling` names; called before a run starts any thread.
    ///
    /// - Throws: `system`.
    func take(_ handling: SignalHandling) throws(VTError) -> Interruption
}

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

/// The signals of a run, as they arrive.
package struct Interruption: Sendable {
    /// The first signal that asks for the end of the run; a second one ends the process at once, unless it comes in the
    /// same moment.
    package let signals: AsyncStream<CInt>
    /// An element for WINCH; several that arrive together are merged.
    package let resizes: AsyncStream<Void>
    /// An element for TSTP.
    package let suspensions: AsyncStream<Void>

    package init(
        signals: AsyncStream<CInt>,
        resizes: AsyncStream<Void>,
        suspensions: AsyncStream<Void>
    ) {
        self.signals = signals
        self.resizes = resizes
        self.suspensions = suspensions
    }

    /// No signal ever comes.
    package static var none: Interruption {
        Interruption(
            signals: AsyncStream { $0.finish() },
            resizes: AsyncStream { $0.finish() },
            suspensions: AsyncStream { $0.finish() }
        )
    }
}
