import Synchronization

/// Rejects machines for a minute after ten failed logins in a minute.
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

    func admits(_ address: String) -> Bool {
        failures.withLock { failures in
            guard let entry = failures[address], entry.end > .now else { return true }
            return entry.count < Self.limit
        }
    }

    func recordFailure(of address: String) {
        let now = ContinuousClock.now
        failures.withLock { failures in
            if failures.count >= Self.machineLimit { failures = failures.filter { $0.value.end > now } }
            if failures.count >= Self.machineLimit { failures = [:] }
            var entry = failures[address] ?? Failures(end: now)
            if entry.end <= now { entry = Failures(end: now + Self.period) }
            entry.count += 1
            if entry.count == Self.limit { entry.end = now + Self.period }
            failures[address] = entry
        }
    }
}
