import Foundation

/// Asks again and again until the answer is yes, for what another process does in its own time.
///
/// False when `limit` ran out first.
package func eventually(within limit: Duration = .seconds(30), _ isTrue: () throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while true {
        if try isTrue() { return true }
        guard ContinuousClock.now < end else { return false }
        // Only a cancelled test ends the pause early, and then the loop's end is near.
        try? await Task.sleep(for: .milliseconds(5))
    }
}
