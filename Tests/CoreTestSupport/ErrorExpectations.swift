import Core
import Testing

/// Returns the error that `body` throws; fails the test if `body` does not throw.
package func failure(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async throws -> VTError {
    try #require(
        await #expect(throws: VTError.self, sourceLocation: sourceLocation) { try await body() },
        sourceLocation: sourceLocation
    )
}
