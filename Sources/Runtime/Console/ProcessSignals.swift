import Core
import Glibc
import Synchronization
import System

/// The signals of this process.
package struct ProcessSignals: SignalSource {
    /// Signals within this interval count as one request: timeout(1) sends TERM to both the program and its group, and
    /// when a terminal disappears, both the kernel and the shell send HUP.
    private static let moment = Duration.milliseconds(500)

    private static let endings = [SIGHUP, SIGINT, SIGTERM]

    /// The signals other than `endings` that terminate a process by default and do not report a fault (signal(7));
    /// SIGXFSZ is ignored by every command.
    private static let otherEndings = [
        SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO, SIGPWR, SIGSTKFLT,
    ]

    package init() {}

    package func take(_ handling: SignalHandling) throws(VTError) -> Interruption {
        guard handling != .none else { return .none }
        signal(SIGPIPE, SIG_IGN)
        switch handling {
        case .none, .brokenPipe: return .none
        case .cancel, .forward: return try Self.take(Self.endings, handling)
        case .cancelAll(suspends: false): return try Self.take(Self.endings + Self.otherEndings, handling)
        case .cancelAll(suspends: true), .forwardAll:
            return try Self.take(Self.endings + Self.otherEndings + [SIGTSTP], handling)
        }
    }

    private static func take(_ numbers: [CInt], _ handling: SignalHandling) throws(VTError) -> Interruption {
        let (signals, asked) = AsyncStream.makeStream(of: CInt.self, bufferingPolicy: .bufferingOldest(1))
        let (resizes, resized) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (suspensions, suspended) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let lastAsked = Mutex<ContinuousClock.Instant?>(nil)
        try SignalThread.start(numbers + [SIGWINCH]) { signal in
            if signal == SIGWINCH || signal == SIGTSTP {
                (signal == SIGWINCH ? resized : suspended).yield()
                return
            }
            let now = ContinuousClock.now
            let (isFirst, isRepeated) = lastAsked.withLock { last in
                let isRepeated = last.map { now - $0 < moment } ?? false
                defer { if !isRepeated { last = now } }
                return (last == nil, isRepeated)
            }
            guard !isRepeated else { return }
            // A command that has not yet taken the previous signal has nothing to forward it to.
            if case .dropped = asked.yield(signal) { SignalThread.die(of: signal) }
            if handling.cancels, !isFirst { SignalThread.die(of: signal) }
        }
        return Interruption(signals: signals, resizes: resizes, suspensions: suspensions)
    }
}
