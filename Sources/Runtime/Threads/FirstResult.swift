import Core
import Synchronization

/// The first of several results, for which one task waits.
package final class FirstResult<Value: Sendable>: Sendable {
    private enum State {
        case new
        /// The function resumes the task.
        case waiting(@Sendable (Value) -> Void)
        case provided(Value)
        case over
    }

    private let state = Mutex(State.new)

    package init() {}

    /// Passes the first result to `resume`, exactly once; returns false if there already is one.
    package func wait(_ resume: @escaping @Sendable (Value) -> Void) -> Bool {
        let result: Value? = state.withLock { state in
            if case .provided(let result) = state {
                state = .over
                return result
            }
            state = .waiting(resume)
            return nil
        }
        guard let result else { return true }
        resume(result)
        return false
    }

    /// Waits for the first result; if the task is canceled first, the result is `cancellation`.
    package func value(orIfCanceled cancellation: Value) async -> Value {
        await withTaskCancellationHandler {
            await unsafe withUnsafeContinuation { (continuation: UnsafeContinuation<Value, Never>) in
                _ = wait { unsafe continuation.resume(returning: $0) }
            }
        } onCancel: {
            provide(cancellation)
        }
    }

    /// Provides a result, which is ignored if it is not the first one.
    package func provide(_ result: Value) {
        let resume: (@Sendable (Value) -> Void)? = state.withLock { state in
            switch state {
            case .new:
                state = .provided(result)
                return nil
            case .waiting(let resume):
                state = .over
                return resume
            case .provided, .over: return nil
            }
        }
        resume?(result)
    }
}
