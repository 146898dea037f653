import Core
import Runtime

extension SessionStore {
    /// How long a session may take to start; its creator uses the same timeout.
    static var startLimit: Duration { .seconds(30) }

    /// Waits until the program of a starting session runs or has failed to start; other sessions are returned
    /// unchanged.
    ///
    /// A session that its creator has since removed counts as failed.
    ///
    /// - Throws: `busy` when the session is still starting after `limit`.
    func started(
        _ session: Session,
        within limit: Duration? = nil,
        clock: any Clock<Duration>
    ) async throws(VTError) -> Session {
        guard session.state == .starting else { return session }
        let limit = limit ?? Self.startLimit
        let late = VTError(
            .busy,
            "'\(session.name)' did not start within \(limit.shortText)",
            hint: "to end the session, use 'vt sessions kill \(session.name)'"
        )
        return try await withTimeout(limit, on: clock, throwing: late) { () async throws(VTError) in
            try await startResult(of: session)
        }
    }

    private func startResult(of session: Session) async throws(VTError) -> Session {
        do throws(VTError) {
            // The watch starts before the first check, so that no change is missed.
            let changes = try startChanges(of: session.id)
            while true {
                let now = try self.session(session.id.text)
                guard now.state == .starting else { return now }
                _ = try await changes()
            }
        } catch {
            guard error.code == .notFound else { throw error }
            var failed = session
            failed.state = .failed
            return failed
        }
    }
}
