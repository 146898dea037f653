import Core

/// Runs `body` and `watch` concurrently, and cancels `body` when `watch` throws.
///
/// If `watch` returns, `body` continues; if `body` ends first, `watch` is canceled.
///
/// - Throws: The error of `watch` or `body`, whichever throws first.
package func withWatch<Result: Sendable>(
    _ watch: @escaping @Sendable () async throws(VTError) -> Void,
    _ body: @escaping @Sendable () async throws(VTError) -> Result
) async throws(VTError) -> Result {
    try await firstResult { tasks in
        tasks.add { () async throws(VTError) in try await body() }
        tasks.add { () async throws(VTError) in
            try await watch()
            return nil
        }
    }
}

/// Runs tasks concurrently until one of them returns a result or throws, and cancels the others.
///
/// `addTasks` adds the tasks; one that returns nil has merely done its part.
///
/// - Throws: The error of the first task that throws; `VTError.cancelled` if all of them return nil.
package func firstResult<Result: Sendable>(
    _ addTasks: (inout TaskGroup<Swift.Result<Result, VTError>?>) -> Void
) async throws(VTError) -> Result {
    let result = await withTaskGroup(of: Swift.Result<Result, VTError>?.self) { group in
        addTasks(&group)
        for await result in group {
            guard let result else { continue }
            group.cancelAll()
            return result
        }
        return .failure(.cancelled)
    }
    return try result.get()
}

extension TaskGroup {
    /// Adds a task of `firstResult`.
    package mutating func add<Result>(
        _ task: @escaping @Sendable () async throws(VTError) -> Result?
    ) where ChildTaskResult == Swift.Result<Result, VTError>? {
        addTask {
            do throws(VTError) {
                return try await task().map { .success($0) }
            } catch {
                return .failure(error)
            }
        }
    }
}
