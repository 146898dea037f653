import Core
import Synchronization

/// Waits for work on a thread of its own, but no longer than the task goes on: then the thread is left alone.
///
/// For work that cannot be interrupted and that nobody needs once it is late. What it has locked may stay so.
///
/// - Throws: `cancelled` when the task is, else what the work throws.
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

/// Who waits for a result, of which only the first counts.
private final class Waiting<Value: Sendable>: Sendable {
    private typealias Continuation = CheckedContinuation<Result<Value, VTError>, Never>

    private enum State {
        case new
        case waiting(Continuation)
        case over
    }

    private let state = Mutex(State.new)

    /// Returns false when it was cancelled before: then there is no work to be done.
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
