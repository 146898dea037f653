import Core
import Synchronization

/// State that any thread can update, and whose changes tasks can wait for.
package final class Monitor<Value: Sendable>: Sendable {
    private struct Guarded: Sendable {
        var value: Value
        /// Counts the updates, so that a waiter can detect one it missed.
        var version: UInt64 = 0
        /// Each resumes a waiting task.
        var waiters: [@Sendable () -> Void] = []
    }

    private let guarded: Mutex<Guarded>

    package init(_ value: Value) {
        guarded = Mutex(Guarded(value: value))
    }

    /// Reads the state, or changes it without waking waiters.
    package func withLock<Result: Sendable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try guarded.withLock { guarded throws(Failure) in try body(&guarded.value) }
    }

    /// Changes the state and wakes the waiting tasks.
    package func update<Result: Sendable>(_ change: (inout Value) -> Result) -> Result {
        let (result, waiters) = guarded.withLock { guarded in
            defer { guarded.waiters = [] }
            guarded.version &+= 1
            return (change(&guarded.value), guarded.waiters)
        }
        for waiter in waiters { waiter() }
        return result
    }

    /// Suspends until `attempt` returns a result; `attempt` is called immediately and after each update.
    ///
    /// - Throws: `VTError.cancelled` when the task is canceled first.
    package func wait<Result: Sendable>(_ attempt: (inout Value) -> Result?) async throws(VTError) -> Result {
        while true {
            let (result, version) = guarded.withLock { (attempt(&$0.value), $0.version) }
            if let result { return result }
            if Task.isCancelled { throw .cancelled }
            await waitForUpdate(after: version)
        }
    }

    /// Suspends until the next update, or until a waiting task is canceled.
    package func waitForUpdate() async {
        await waitForUpdate(after: guarded.withLock(\.version))
    }

    private func waitForUpdate(after version: UInt64) async {
        await withTaskCancellationHandler {
            await suspend(at: version)
        } onCancel: {
            update { _ in }
        }
    }

    /// Suspends until there is an update newer than this version.
    private func suspend(at version: UInt64) async {
        // Resumed exactly once: here, or by the `update` that removes the waiter. A checked continuation would look up a
        // conformance at run time, which takes longer than starting a short command.
        await unsafe withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let hasMissedOne = guarded.withLock { guarded in
                guard guarded.version == version else { return true }
                guarded.waiters.append { unsafe continuation.resume() }
                return false
            }
            if hasMissedOne { unsafe continuation.resume() }
        }
    }
}
