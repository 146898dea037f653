import Core

/// A connection that is made again after it was lost, for work that can go on where it stood.
final class RemoteLink {
    private let sessions: RemoteSessions
    /// Whether we were connected once: what never worked is not tried again.
    private var hasConnected = false
    private var tries = 0
    private var lastConnected = ContinuousClock.now

    /// At once, and then after 1, 2, 4 … up to 32 seconds.
    private static let limit = 10
    /// A link that held so long was a good one, and its loss begins a new count.
    private static let goodFor = Duration.seconds(30)

    init(_ sessions: RemoteSessions) {
        self.sessions = sessions
    }

    func connected() async throws(VTError) -> any RemoteHost {
        let host = try await sessions.connected()
        (hasConnected, lastConnected) = (true, .now)
        return host
    }

    /// Returns when the work may be tried once more.
    ///
    /// - Throws: `error` when it is none of the link, and when there were too many.
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
