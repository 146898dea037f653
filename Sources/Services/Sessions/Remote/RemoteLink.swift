import Core

/// A connection that is reestablished after it was lost, for operations that can resume.
final class RemoteLink {
    private let sessions: RemoteSessions
    /// Whether a connection has succeeded before; if not, connecting is not retried.
    private var hasConnected = false
    private var tries = 0
    private var lastConnected = ContinuousClock.now

    /// Retries start immediately, then after 1, 2, 4 … up to 32 seconds.
    private static let limit = 10
    /// The loss of a connection that lasted this long restarts the count.
    private static let goodFor = Duration.seconds(30)

    init(_ sessions: RemoteSessions) {
        self.sessions = sessions
    }

    func connected() async throws(VTError) -> any RemoteHost {
        let host = try await sessions.connected()
        (hasConnected, lastConnected) = (true, .now)
        return host
    }

    /// Returns when the operation can be retried.
    ///
    /// - Throws: `error` when it was not caused by the connection, and after too many retries.
    func recover(from error: VTError, hasAdvanced: Bool) async throws(VTError) {
        guard hasConnected, error.code == .hostUnreachable || error.code == .hostUnresolved else { throw error }
        if hasAdvanced || ContinuousClock.now - lastConnected > Self.goodFor { tries = 0 }
        guard tries < Self.limit else { throw error }
        await sessions.disconnect()
        if tries > 0 {
            let seconds = Double(min(32, 1 << (tries - 1)))
            let pause = min(32, seconds * Double.random(in: 0.7...1.3))
            sessions.diagnostics.detail("\(error.message); retrying in \(Int(pause.rounded(.up))) s")
            do {
                try await sessions.clock.sleep(for: .milliseconds(Int(pause * 1000)))
            } catch {
                throw .cancelled
            }
        }
        tries += 1
    }
}
