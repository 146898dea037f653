import Core

extension RemoteSessions {
    /// After a connection that lasted longer than this, the count of attempts restarts.
    static let goodAfter = Duration.seconds(30)

    /// Runs `body` on the server, and again after each lost connection, according to the standard policy.
    ///
    /// `progress` returns a value that changes when `body` has received data, which restarts the count of attempts.
    ///
    /// - Throws: Errors from `body`; a lost connection only after the last attempt. A first connection that fails is
    ///   not retried.
    func reconnecting<Result>(
        goodAfter: Duration = RemoteSessions.goodAfter,
        progress: () -> UInt64?,
        _ body: (any RemoteHost) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        var reconnection = Reconnection(.standard, to: name)
        while true {
            let before = progress()
            // Nil if this attempt does not connect.
            var connectedAt: ContinuousClock.Instant?
            let failure: VTError
            do throws(VTError) {
                let host = try await connected()
                reconnection.connected()
                connectedAt = .now
                return try await body(host)
            } catch {
                failure = error
            }
            let wasGood = connectedAt.map { ContinuousClock.now - $0 > goodAfter } ?? false
            if wasGood || progress() != before { reconnection.succeeded() }
            let delay = try reconnection.delay(after: failure)
            await disconnect()
            guard delay > .zero else { continue }
            diagnostics.detail("\(failure.message); retrying in \(delay.components.seconds + 1)s")
            try await clock.pause(for: delay)
        }
    }
}
