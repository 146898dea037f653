import Core

extension SessionStore {
    /// How long a session may be starting; its creator gives up after the same time.
    static var startLimit: Duration { .seconds(30) }

    /// Waits until the program of a session that is starting runs or has failed to; others are returned as they are.
    ///
    /// What comes of a session that its creator has removed is a session that failed.
    ///
    /// - Throws: `busy` when it is starting still after `limit`.
    func started(
        _ session: Session,
        within limit: Duration? = nil,
        clock: any Clock<Duration>
    ) async throws(VTError) -> Session {
        var session = session
        var waited = Duration.zero
        // Nothing tells of a start but the record, which takes some milliseconds to come.
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
