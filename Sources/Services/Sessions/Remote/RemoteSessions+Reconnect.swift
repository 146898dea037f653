import Core

extension RemoteSessions {
    /// The loss of a connection that lasted this long restarts the count of attempts.
    private static let goodAfter = Duration.seconds(30)

    /// Runs `body` on the server, and again after each lost connection, according to the standard policy.
    ///
    /// `progress` returns a value that changes when `body` has received data, which restarts the count of attempts.
    ///
    /// - Throws: Errors of `body`, except lost connections; a first connection that fails is not retried.
    func reconnecting<Result>(
        progress: () -> UInt64?,
        _ body: (any RemoteHost) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        var reconnection = Reconnection(.standard, to: name)
        var connectedAt = ContinuousClock.now
        while true {
            let before = progress()
            let failure: VTError
            do throws(VTError) {
                let host = try await connected()
                reconnection.connected()
                connectedAt = .now
                return try await body(host)
            } catch {
                failure = error
            }
            if progress() != before || ContinuousClock.now - connectedAt > Self.goodAfter { reconnection.succeeded() }
            let delay = try reconnection.delay(after: failure)
            await disconnect()
            guard delay > .zero else { continue }
            diagnostics.detail("\(failure.message); retrying in \(delay.components.seconds + 1) s")
            do {
                try await clock.sleep(for: delay)
            } catch {
                throw .cancelled
            }
        }
    }
}
