import Core
import Runtime

extension LocalSessions {
    package func withHolder(
        of session: String,
        _ body: @escaping @Sendable (any SessionChannel) async throws(VTError) -> ExitStatus?
    ) async throws(VTError) -> ExitStatus? {
        let channel = try await channel(to: session)
        return try await withCleanup(channel.close) { () async throws(VTError) in try await body(channel) }
    }

    /// Connects to the holder or, if it has exited, to a replacement based on the session's files.
    func channel(to session: String) async throws(VTError) -> any SessionChannel {
        let record = try await host.started(try host.session(session), clock: clock)
        if record.state.isLive {
            do throws(VTError) {
                return try await host.connect(to: record.id)
            } catch {
                guard error.code == .notFound else { throw error }
            }
        }
        // The session may have ended in the meantime, so read its record again.
        let last = try host.session(record.id.text)
        return StandInChannel(for: EndedSession(record: last, log: try host.log(of: last.id)), version: version)
    }
}
