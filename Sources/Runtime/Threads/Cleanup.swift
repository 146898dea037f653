import Core

/// Calls `body` and then `cleanUp`, also if `body` throws.
package func withCleanup<Result>(
    _ cleanUp: () async -> Void,
    _ body: () async throws(VTError) -> Result
) async throws(VTError) -> Result {
    do throws(VTError) {
        let result = try await body()
        await cleanUp()
        return result
    } catch {
        await cleanUp()
        throw error
    }
}
