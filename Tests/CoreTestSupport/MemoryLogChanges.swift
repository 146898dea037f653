import Core
import Synchronization

/// Reports additions to a log in memory.
package final class MemoryLogChanges: SessionLogChanges {
    private struct State {
        var isPending = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    /// Whether a reader is waiting for more.
    package var isWaitedFor: Bool { state.withLock { $0.waiting != nil } }

    package func tell() {
        let waiting = state.withLock { state in
            state.isPending = state.waiting == nil
            return state.waiting.take()
        }
        waiting?.resume()
    }

    package func next() async throws(VTError) -> Bool {
        await withCheckedContinuation { continuation in
            let isPending = state.withLock { state in
                defer { state.isPending = false }
                if !state.isPending { state.waiting = continuation }
                return state.isPending
            }
            if isPending { continuation.resume() }
        }
        return true
    }
}
