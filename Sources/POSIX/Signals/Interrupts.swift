import Core
import Glibc
import Synchronization

/// The signals that request termination or a stop, and those that report a new terminal size.
package struct Interrupts: Sendable {
    /// The first terminating signal; a second one ends the process at once, unless it arrives within `moment`.
    package let signals: AsyncStream<CInt>
    /// An element for each WINCH; pending ones are merged.
    package let resizes: AsyncStream<Void>
    /// An element for each TSTP, if it is handled.
    package let suspensions: AsyncStream<Void>

    /// Signals within this interval count as one request: timeout(1) sends TERM to both the program and its group, and
    /// when a terminal disappears, both it and its shell send HUP.
    private static let moment = Duration.milliseconds(500)

    /// The signals that end a run.
    package enum Endings: Sendable {
        /// HUP, INT and TERM.
        case usual
        /// The same, and every other terminating signal that is not caused by a program error (signal(7)), for runs
        /// that must restore a terminal.
        case all

        var signals: [CInt] {
            switch self {
            case .usual: [SIGHUP, SIGINT, SIGTERM]
            case .all:
                [
                    SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ,
                    SIGIO,
                    SIGPWR, SIGSTKFLT,
                ]
            }
        }
    }

    /// Starts handling the signals; must be called before any other thread is started.
    ///
    /// With `suspends`, TSTP is handled, and the reader of `suspensions` must stop the process.
    ///
    /// SIGPIPE is ignored from now on: a lost reader is reported as EPIPE, so that cleanup can run.
    package init(_ endings: Endings = .usual, suspends: Bool = false) throws(VTError) {
        signal(SIGPIPE, SIG_IGN)
        let (signals, asked) = AsyncStream.makeStream(of: CInt.self)
        let (resizes, resized) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.signals = signals
        self.resizes = resizes
        let (suspensions, suspended) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.suspensions = suspensions
        let firstAsked = Mutex<ContinuousClock.Instant?>(nil)
        try SignalThread.start(endings.signals + [SIGWINCH] + (suspends ? [SIGTSTP] : [])) { signal in
            if signal == SIGWINCH || signal == SIGTSTP {
                (signal == SIGWINCH ? resized : suspended).yield()
                return
            }
            let now = ContinuousClock.now
            let first = firstAsked.withLock { first in
                defer { first = first ?? now }
                return first
            }
            guard let first else {
                asked.yield(signal)
                return
            }
            if now - first >= Self.moment { SignalThread.die(of: signal) }
        }
    }

    /// Runs work that the first signal cancels; returns its result, and the signal, if any.
    package func run<Result: Sendable>(
        _ work: @escaping @Sendable () async throws(VTError) -> Result
    ) async -> (result: Swift.Result<Result, VTError>, signal: CInt?) {
        await withTaskGroup(of: Event<Result>.self) { group in
            group.addTask {
                do throws(VTError) {
                    return .ended(.success(try await work()))
                } catch {
                    return .ended(.failure(error))
                }
            }
            let signals = signals
            group.addTask {
                for await signal in signals { return .signal(signal) }
                return .noSignal
            }
            var signal: CInt?
            for await event in group {
                switch event {
                case .ended(let result):
                    group.cancelAll()
                    return (result, signal)
                case .signal(let number):
                    signal = number
                    group.cancelAll()
                case .noSignal: continue
                }
            }
            return (.failure(.cancelled), signal)
        }
    }

    private enum Event<Result: Sendable>: Sendable {
        case ended(Swift.Result<Result, VTError>)
        case signal(CInt)
        case noSignal
    }
}
