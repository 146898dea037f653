import Core
import Glibc
import Synchronization

/// The signals that ask for the end of a run or for a pause, and those that tell of a new terminal size.
package struct Interrupts: Sendable {
    /// The first that ends a run; a second one ends the process at once, unless it comes in the same moment.
    package let signals: AsyncStream<CInt>
    /// An element for WINCH; several that come together are one.
    package let resizes: AsyncStream<Void>
    /// An element for TSTP, where that is taken.
    package let suspensions: AsyncStream<Void>

    /// Signals that come closer together are one request: timeout(1) sends TERM to the program and to its group, and a
    /// terminal that goes away hangs up and so does its shell.
    private static let moment = Duration.milliseconds(500)

    /// What ends a run.
    package enum Endings: Sendable {
        /// HUP, INT and TERM.
        case usual
        /// These, and every other signal that ends a process and is no fault of it (signal(7)), for runs that have a terminal
        /// to give back.
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

    /// Takes over the signals; to be called before any other thread is started.
    ///
    /// With `suspends` TSTP is taken, and whoever takes it from `suspensions` stops the process.
    ///
    /// SIGPIPE is ignored from here on: a reader that goes away is told by EPIPE, and there is something to clean up.
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

    /// Runs work that the first signal cancels; gives its result, and the signal where one came first.
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
