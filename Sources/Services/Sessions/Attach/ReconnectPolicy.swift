import Core

/// How often and when a lost link is made again.
package struct ReconnectPolicy: Hashable, Sendable {
    package var attempts: Int
    /// The longest wait before an attempt.
    package var limit: Duration
    /// By how much a wait may be shorter or longer than planned, so that many clients do not come back at once.
    package var jitter: Double

    /// The first attempt at once, then after 1, 2, 4 … 32 s; ten in all.
    package static let standard = ReconnectPolicy(attempts: 10, limit: .seconds(32), jitter: 0.3)

    /// Never.
    package static let none = ReconnectPolicy(attempts: 0, limit: .zero, jitter: 0)

    package init(attempts: Int, limit: Duration, jitter: Double) {
        self.attempts = attempts
        self.limit = limit
        self.jitter = jitter
    }

    /// How long to wait before an attempt, the first of which is number 1.
    package func delay(
        before attempt: Int,
        using generator: inout some RandomNumberGenerator
    ) -> Duration {
        guard attempt > 1 else { return .zero }
        let planned = min(limit, .seconds(1 << min(attempt - 2, 30)))
        let factor = jitter == 0 ? 1 : Double.random(in: 1 - jitter...1 + jitter, using: &generator)
        return min(limit, planned * factor)
    }
}
