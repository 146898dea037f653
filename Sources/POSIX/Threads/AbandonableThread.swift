import Core
import Synchronization

/// Runs work on a dedicated thread and waits for it; if the task is canceled, the thread is abandoned.
///
/// Intended for work that cannot be interrupted and whose result is useless if late. Locks held by abandoned work might
/// never be released.
///
/// - Throws: `cancelled` when the task is canceled, otherwise errors thrown by the work.
package func onAbandonableThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws(VTError) -> Value
) async throws(VTError) -> Value {
    let waiting = Waiting<Value>()
    let result = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            guard waiting.begin(continuation) else { return }
            do throws(VTError) {
                try startThread {
                    do throws(VTError) {
                        waiting.end(.success(try body()))
                    } catch {
                        waiting.end(.failure(error))
                    }
                }
            } catch {
                waiting.end(.failure(error))
            }
        }
    } onCancel: {
        waiting.end(.failure(.cancelled))
    }
    return try result.get()
}

/// Waits for the result of the work or for the cancellation, whichever comes first.
private final class Waiting<Value: Sendable>: Sendable {
    private typealias Continuation = CheckedContinuation<Result<Value, VTError>, Never>

    private enum State {
        case new
        case waiting(Continuation)
        case over
    }

    private let state = Mutex(State.new)

    /// Returns false if the task has already been canceled, so that the work need not start.
    func begin(_ continuation: CheckedContinuation<Result<Value, VTError>, Never>) -> Bool {
        let isOver = state.withLock { state in
            if case .over = state { return true }
            state = .waiting(continuation)
            return false
        }
        if isOver { continuation.resume(returning: .failure(.cancelled)) }
        return !isOver
    }

    func end(_ result: Result<Value, VTError>) {
        let continuation: Continuation? = state.withLock { state in
            defer { state = .over }
            guard case .waiting(let continuation) = state else { return nil }
            return continuation
        }
        continuation?.resume(returning: result)
    }
}
