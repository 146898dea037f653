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
    let result = await withTaskGroup(of: Swift.Result<Result, VTError>?.self) { group in
        group.addTask { await Swift.Result { () async throws(VTError) in try await body() } }
        group.addTask {
            do throws(VTError) {
                try await watch()
                return nil
            } catch {
                return .failure(error)
            }
        }
        for await result in group {
            guard let result else { continue }
            group.cancelAll()
            return result
        }
        return .failure(.cancelled)
    }
    return try result.get()
}
