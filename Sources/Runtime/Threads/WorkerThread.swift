import Core
import Synchronization
import System

/// Runs blocking work in order, on a thread that ends when no work is left.
package final class WorkerThread: Sendable {
    private struct State {
        var work: [@Sendable () -> Void] = []
        var isRunning = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Runs the work and waits for it, even if the task is canceled, without blocking the caller's thread; if no thread
    /// can be created, runs it on the caller's thread.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await unsafe withUnsafeContinuation { (continuation: UnsafeContinuation<Value, Never>) in
            let needsThread = state.withLock { state in
                state.work.append { unsafe continuation.resume(returning: body()) }
                defer { state.isRunning = true }
                return !state.isRunning
            }
            guard needsThread else { return }
            do throws(VTError) {
                try startThread { self.perform() }
            } catch {
                perform()
            }
        }
    }

    private func perform() {
        while true {
            let work = state.withLock { state in
                defer { state.work = [] }
                if state.work.isEmpty { state.isRunning = false }
                return state.work
            }
            guard !work.isEmpty else { return }
            for body in work { body() }
        }
    }
}
