import Core

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
        let reconnection = Reconnection(.standard, to: name, on: clock)
        return try await reconnection.run { () async throws(VTError) in
            let before = progress()
            // Nil if this attempt does not connect.
            var connectedAt: ContinuousClock.Instant?
            do throws(VTError) {
                let host = try await connected()
                connectedAt = .now
                return try await body(host) { reconnection.connected() }
            } catch {
                let duration = connectedAt.map { ContinuousClock.now - $0 } ?? .zero
                let isGood = goodAfter.map { duration > $0 } ?? false || progress() != before
                if isGood { reconnection.succeeded() } else if error.code == .system { reconnection.abandon() }
                throw error
            }
        } announce: { failure, delay async throws(VTError) in
            await disconnect()
            if reconnection.attempts == 1 {
                diagnostics.note("\(failure.message); reconnecting")
            } else {
                diagnostics.detail("\(failure.message); retrying in \(delay.components.seconds + 1)s")
            }
        }
    }
}
