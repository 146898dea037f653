/// The signals of a run, as they come.
package struct Interruption: Sendable {
    /// The first signal that asks for the end of the run; a second one ends the process at once, unless it comes in the
    /// same moment.
    package let signals: AsyncStream<CInt>
    /// An element for WINCH; several that come together are one.
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
