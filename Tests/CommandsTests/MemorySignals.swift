import Core
import Synchronization

/// Signals that a test sends to a command.
final class MemorySignals: SignalSource {
    private struct State {
        var handling: SignalHandling?
        var signals: AsyncStream<CInt>.Continuation?
    }

    private let state = Mutex(State())

    /// The signal handling that the last command requested.
    var handling: SignalHandling? { state.withLock { $0.handling } }

    func send(_ signal: CInt) {
        state.withLock { $0.signals }?.yield(signal)
    }

    func take(_ handling: SignalHandling) throws(VTError) -> Interruption {
        let (signals, continuation) = AsyncStream.makeStream(of: CInt.self)
        state.withLock { $0 = State(handling: handling, signals: continuation) }
        return Interruption(
            signals: signals,
            resizes: AsyncStream { $0.finish() },
            suspensions: AsyncStream { $0.finish() }
        )
    }
}
