import Core
import System

/// Runs work on a dedicated thread and waits for it; if the task is canceled, the thread is abandoned.
///
/// Intended for work that cannot be interrupted and whose result is useless if late. Locks held by abandoned work might
/// never be released.
///
/// - Throws: `cancelled` when the task is canceled, otherwise errors thrown by the work.
package func onAbandonableThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws(VTError) -> Value
) async throws(VTError) -> Value {
    let first = FirstResult<Result<Value, VTError>>()
    guard !Task.isCancelled else { throw .cancelled }
    try startThread {
        first.provide(Result { () throws(VTError) in try body() })
    }
    return try await first.value(orIfCanceled: .failure(.cancelled)).get()
}
