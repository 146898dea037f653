import Core

/// How often and when to reconnect after a connection is lost.
package struct ReconnectPolicy: Hashable, Sendable {
    package var attempts: Int
    /// The time since the connection was lost after which no further attempt starts; nil for no limit.
    package var timeLimit: Duration?
    /// The maximum delay before an attempt.
    package var limit: Duration
    /// The fraction by which delays vary at random, so that many clients do not reconnect at the same time.
    package var jitter: Double

    /// Ten attempts: the first is immediate, and later ones are delayed by 1, 2, 4 … 32 s.
    package static let standard = ReconnectPolicy(attempts: 10, limit: .seconds(32), jitter: 0.3)

    /// Attempts without end, delayed like those of `standard`.
    package static let endless = ReconnectPolicy(attempts: .max, limit: standard.limit, jitter: standard.jitter)

    /// Never reconnects.
    package static let none = ReconnectPolicy(attempts: 0, limit: .zero, jitter: 0)

    package init(attempts: Int, limit: Duration, jitter: Double) {
        self.attempts = attempts
        self.limit = limit
        self.jitter = jitter
    }

    /// The delay before an attempt; attempts are counted from 1.
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
