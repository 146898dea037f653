import Core
import Synchronization

/// How many bytes of input the keeper accepts, so that frames of other kinds never wait for input to be read.
final class InputCredit: Sendable {
    private struct State {
        var available = KeeperFrame.inputWindowBytes
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Adds bytes to the credit.
    func grant(_ count: Int) {
        let waiter = state.withLock { state in
            state.available += count
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Takes at least one byte and at most `count`, and waits while there is no credit.
    ///
    /// Calls must not overlap.
    ///
    /// - Throws: `VTError.cancelled`.
    func take(_ count: Int) async throws(VTError) -> Int {
        while true {
            let taken = state.withLock { state in
                let taken = min(count, state.available)
                state.available -= taken
                return taken
            }
            if taken > 0 { return taken }
            if Task.isCancelled { throw .cancelled }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        if state.available > 0 || Task.isCancelled { return true }
                        state.waiter = continuation
                        return false
                    }
                    if isReady { continuation.resume() }
                }
            } onCancel: {
                grant(0)
            }
        }
    }
}
