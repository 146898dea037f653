import Core
import Synchronization

extension RemoteSessions {
    /// After a connection that lasted longer than this, the count of attempts restarts.
    static let goodAfter = Duration.seconds(30)

    /// Runs `body` on the server, and again after each lost connection, according to the standard policy.
    ///
    /// `body` calls its second argument once the server's vt has answered; a failure before the first answer is not
    /// retried. `progress` returns a value that changes when `body` has received data, which restarts the count of
    /// attempts, as does a connection that has lasted for `goodAfter`, unless that is nil.
    ///
    /// - Throws: Errors from `body`; a lost connection only after the last attempt. A vt that dies without having made
    ///   progress would do so again.
    func reconnecting<Result>(
        goodAfter: Duration? = RemoteSessions.goodAfter,
        progress: () -> UInt64?,
        _ body: (any RemoteHost, @escaping @Sendable () -> Void) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        var reconnection = Reconnection(.standard, to: name)
        while true {
            let before = progress()
            // Nil if this attempt does not connect.
            var connectedAt: ContinuousClock.Instant?
            let hasAnswered = Mutex(false)
            let failure: VTError
            do throws(VTError) {
                let host = try await connected()
                connectedAt = .now
                return try await body(host) { hasAnswered.withLock { $0 = true } }
            } catch {
                failure = error
            }
            if hasAnswered.withLock({ $0 }) { reconnection.connected() }
            let duration = connectedAt.map { ContinuousClock.now - $0 } ?? .zero
            let isGood = goodAfter.map { duration > $0 } ?? false || progress() != before
            if isGood { reconnection.succeeded() }
            guard isGood || failure.code != .system else { throw failure }
            let delay = try reconnection.delay(after: failure)
            await disconnect()
            if reconnection.attempts == 1 {
                diagnostics.note("\(failure.message); reconnecting")
            } else {
                diagnostics.detail("\(failure.message); retrying in \(delay.components.seconds + 1)s")
            }
            if delay > .zero { try await clock.pause(for: delay) }
        }
    }
}
