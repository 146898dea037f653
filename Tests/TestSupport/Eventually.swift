import Foundation

extension Duration {
    /// The limit of waits for events, so long that only tests that fail reach it, even on a machine with much other work.
    package static let patience = Duration.seconds(300)
}

/// Polls a condition until it is true, to wait for effects of other processes.
///
/// Returns false if `limit` expires first.
package func eventually(within limit: Duration = .patience, _ isTrue: () async throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while true {
        if try await isTrue() { return true }
        guard ContinuousClock.now < end else { return false }
        // Only canceling the test makes the pause fail, and the loop ends at the limit even then.
        try? await Task.sleep(for: .milliseconds(5))
    }
}
