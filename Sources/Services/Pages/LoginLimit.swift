import Synchronization

/// Counts failed logins: after ten in a minute, a machine gets no other answer for a minute than that there are too many.
///
/// A valid token is always accepted, because several machines can have the same address, that of a proxy, and because
/// others may be able to make logins fail.
final class LoginLimit: Sendable {
    private struct Failures {
        var count = 0
        var end: ContinuousClock.Instant
    }

    private let failures = Mutex<[String: Failures]>([:])

    private static let limit = 10
    private static let period = Duration.seconds(60)
    /// The number of machines to remember.
    private static let machineLimit = 1024

    /// Records a failure; returns whether there were too many before.
    func recordFailure(of address: String) -> Bool {
        let now = ContinuousClock.now
        return failures.withLock { failures in
            if failures.count >= Self.machineLimit { failures = failures.filter { $0.value.end > now } }
            if failures.count >= Self.machineLimit { failures = [:] }
            var entry = failures[address] ?? Failures(end: now)
            if entry.end <= now { entry = Failures(end: now + Self.period) }
            let isTooMany = entry.count >= Self.limit
            entry.count += 1
            if entry.count == Self.limit { entry.end = now + Self.period }
            failures[address] = entry
            return isTooMany
        }
    }
}
