import Core

/// Calls `body` with a group of tasks, which are canceled when it returns or throws, and waits until they have ended.
package func withTasks<Child: Sendable, Result: Sendable>(
    of type: Child.Type,
    _ body: (inout TaskGroup<Child>) async throws(VTError) -> Result
) async throws(VTError) -> Result {
    let result = await withTaskGroup(of: type, returning: Swift.Result<Result, VTError>.self) { group in
        defer { group.cancelAll() }
        do throws(VTError) {
            return .success(try await body(&group))
        } catch {
            return .failure(error)
        }
    }
    return try result.get()
}
