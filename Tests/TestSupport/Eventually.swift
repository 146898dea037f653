import Foundation

extension Duration {
    /// The limit of waits for events, so long that only tests that fail reach it, even on a machine with much other work.
    package static let patience = Duration.seconds(300)
}

/// Polls a condition until it is true, to wait for effects of other processes: every 5 ms, and less often the longer it
/// takes, up to every 50 ms.
///
/// Returns false if `limit` expires first.
package func eventually(within limit: Duration = .patience, _ isTrue: () async throws -> Bool) async rethrows -> Bool {
    let start = ContinuousClock.now
    while true {
        if try await isTrue() { return true }
        let elapsed = ContinuousClock.now - start
        guard elapsed < limit else { return false }
        // Only canceling the test makes the pause fail, and the loop ends at the limit even then.
        try? await Task.sleep(for: min(max(elapsed / 10, .milliseconds(5)), .milliseconds(50)))
    }
}
