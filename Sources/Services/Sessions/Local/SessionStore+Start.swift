import Core

extension SessionStore {
    /// How long a session may take to start; its creator uses the same timeout.
    static var startLimit: Duration { .seconds(30) }

    /// Waits until the program of a starting session runs or has failed to start; other sessions are returned
    /// unchanged.
    ///
    /// A session removed by its creator meanwhile counts as failed.
    ///
    /// - Throws: `busy` when it is still starting after `limit`.
    func started(
        _ session: Session,
        within limit: Duration? = nil,
        clock: any Clock<Duration>
    ) async throws(VTError) -> Session {
        var session = session
        var waited = Duration.zero
        // A start is only visible in the record, which takes a few milliseconds to appear.
        var pause = Duration.milliseconds(2)
        let limit = limit ?? Self.startLimit
        while session.state == .starting {
            guard waited < limit else {
                throw VTError(
                    .busy,
                    "'\(session.name)' did not start within \(limit.shortText)",
                    hint: "vt sessions kill \(session.name)"
                )
            }
            do {
                try await clock.sleep(for: pause)
            } catch {
                throw .cancelled
            }
            waited += pause
            pause = min(pause * 2, .milliseconds(100))
            do throws(VTError) {
                session = try self.session(session.id.text)
            } catch {
                guard error.code == .notFound else { throw error }
                session.state = .failed
            }
        }
        return session
    }
}
