import Core
import Synchronization

/// A mutual exclusion lock for tasks, first come, first served.
package final class AsyncLock: Sendable {
    private struct State {
        var isHeld = false
        /// The functions that resume the waiting tasks.
        var waiters: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Runs `body` exclusively, even if the task was canceled while waiting.
    package func withLock<Result, Failure: Error>(
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        await acquire()
        defer { release() }
        return try await body()
    }

    private func acquire() async {
        // Resumed exactly once: here, or by the `release` that removes the waiter. A checked continuation would look up
        // a conformance at run time, which takes longer than starting a short command.
        await unsafe withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let isFree = state.withLock { state in
                guard state.isHeld else {
                    state.isHeld = true
                    return true
                }
                state.waiters.append { unsafe continuation.resume() }
                return false
            }
            if isFree { unsafe continuation.resume() }
        }
    }

    private func release() {
        let next = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.waiters.isEmpty else { return state.waiters.removeFirst() }
            state.isHeld = false
            return nil
        }
        next?()
    }
}
