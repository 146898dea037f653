import Foundation

/// Polls a condition until it is true, to wait for effects of other processes.
///
/// Returns false if `limit` expires first.
package func eventually(within limit: Duration = .seconds(30), _ isTrue: () throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while true {
        if try isTrue() { return true }
        guard ContinuousClock.now < end else { return false }
        // Only canceling the test makes the pause fail, and the loop ends at the limit even then.
        try? await Task.sleep(for: .milliseconds(5))
    }
}
