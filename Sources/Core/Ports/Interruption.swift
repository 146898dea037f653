/// The signals that a run receives.
package struct Interruption: Sendable {
    /// The first signal that requests the end of the run.
    ///
    /// A second one terminates the process immediately, unless it arrives within half a second of the first one.
    package let signals: AsyncStream<CInt>
    /// An element for each WINCH signal; signals that arrive together are merged.
    package let resizes: AsyncStream<Void>
    /// An element for each TSTP signal.
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

    /// An interruption without any signals.
    package static var none: Interruption {
        Interruption(
            signals: AsyncStream { $0.finish() },
            resizes: AsyncStream { $0.finish() },
            suspensions: AsyncStream { $0.finish() }
        )
    }
}
