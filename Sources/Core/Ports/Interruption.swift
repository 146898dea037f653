/// The signals that a run receives.
package struct Interruption: Sendable {
    private struct Sources {
        let signals: AsyncStream<CInt>
        let resizes: AsyncStream<Void>
        let suspensions: AsyncStream<Void>
    }

    /// Nil if there are no signals: creating the streams takes longer than running a short command.
    private let sources: Sources?

    package init(
        signals: AsyncStream<CInt>,
        resizes: AsyncStream<Void>,
        suspensions: AsyncStream<Void>
    ) {
        sources = Sources(signals: signals, resizes: resizes, suspensions: suspensions)
    }

    private init() {
        sources = nil
    }

    /// An interruption without any signals.
    package static var none: Interruption { Interruption() }

    /// The signals that request the end of the run; those that arrive within half a second are one request.
    ///
    /// A second request terminates the process immediately, unless the run forwards signals and has received the first.
    package var signals: AsyncStream<CInt> { sources?.signals ?? AsyncStream { $0.finish() } }
    /// An element for each WINCH signal; signals that arrive together are merged.
    package var resizes: AsyncStream<Void> { sources?.resizes ?? AsyncStream { $0.finish() } }
    /// An element for each TSTP signal.
    package var suspensions: AsyncStream<Void> { sources?.suspensions ?? AsyncStream { $0.finish() } }
}
