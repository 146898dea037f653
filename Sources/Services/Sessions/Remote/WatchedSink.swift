import Core
import Synchronization

/// Forwards bytes and counts writes, to distinguish a silent sender from a slow receiver.
final class WatchedSink: ByteSink {
    private struct State {
        var writes = 0
        var isWriting = false
    }

    private let sink: any ByteSink
    private let state = Mutex(State())

    init(_ sink: any ByteSink) {
        self.sink = sink
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        state.withLock { $0 = State(writes: $0.writes + 1, isWriting: true) }
        defer { state.withLock { $0.isWriting = false } }
        try await sink.write(bytes)
    }

    /// Returns once nothing has been received for `limit`, or throws `cancelled`; time spent in the receiver does not
    /// count.
    func silence(of limit: Duration, on clock: any Clock<Duration>) async throws(VTError) {
        while true {
            let before = state.withLock { $0.writes }
            do {
                try await clock.sleep(for: limit)
            } catch {
                throw .cancelled
            }
            let isSilent = state.withLock { $0.writes == before && !$0.isWriting }
            if isSilent { return }
        }
    }
}
