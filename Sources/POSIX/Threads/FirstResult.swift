import Core
import Synchronization

/// The first of several results, for which one task waits.
package final class FirstResult<Value: Sendable>: Sendable {
    package typealias Continuation = CheckedContinuation<Result<Value, VTError>, Never>

    private enum State {
        case new
        case waiting(Continuation)
        case provided(Result<Value, VTError>)
        case over
    }

    private let state = Mutex(State.new)

    package init() {}

    /// Resumes the continuation with the first result; returns false if there already is one.
    package func wait(_ continuation: Continuation) -> Bool {
        let result: Result<Value, VTError>? = state.withLock { state in
            if case .provided(let result) = state {
                state = .over
                return result
            }
            state = .waiting(continuation)
            return nil
        }
        if let result { continuation.resume(returning: result) }
        return result == nil
    }

    /// Provides a result, which is ignored if it is not the first one.
    package func provide(_ result: Result<Value, VTError>) {
        let continuation: Continuation? = state.withLock { state in
            switch state {
            case .new:
                state = .provided(result)
                return nil
            case .waiting(let continuation):
                state = .over
                return continuation
            case .provided, .over: return nil
            }
        }
        continuation?.resume(returning: result)
    }
}
