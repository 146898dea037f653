import Core
import Runtime

extension LocalSessions {
    /// Freezes, pauses or resumes a session; returns the session, and the processes that are still running, as `PID NAME`.
    func suspend(
        _ name: String,
        _ suspension: Suspension
    ) async throws(VTError) -> (session: Session, survivors: [String]) {
        let session = try await host.started(try host.session(name), clock: clock)
        let connection: SessionConnection
        do throws(VTError) {
            connection = try await self.connection(to: session)
        } catch {
            guard session.state == .paused, error.code == .busy else { throw error }
            return try await suspendWithoutHolder(session, suspension)
        }
        return try await withCleanup(connection.close) { () async throws(VTError) in
            let survivors = try await connection.suspend(suspension)
            return (try await connection.status(), survivors)
        }
    }

    /// Completes the pause of a session whose holder is gone, or starts its shell with a new holder.
    private func suspendWithoutHolder(
        _ session: Session,
        _ suspension: Suspension
    ) async throws(VTError) -> (session: Session, survivors: [String]) {
        switch suspension {
        case .freeze: throw session.suspensionError() ?? Self.ended(session)
        case .pause, .forcedPause:
            let survivors = try await host.killWithoutHolder(
                session.id,
                signal: nil,
                grace: .seconds(3),
                keepsPause: true
            )
            return (try host.session(session.id.text), survivors)
        case .resume:
            try await host.resume(session.id, launchPrefix: await world.survival().launchPrefix)
            return try await withHolder(of: try host.session(session.id.text)) { connection throws(VTError) in
                // Waits until the shell has its environment.
                let survivors = try await connection.suspend(.resume)
                return (try await connection.status(), survivors)
            }
        }
    }

    /// Asks the person at a session, or answers or awaits a question.
    func ask(_ request: QuestionRequest, in name: String) async throws(VTError) {
        let session = try host.session(name)
        // The answer remains known when the session has ended.
        if request.action == .wait, let question = session.question, question.answer != nil {
            if let failure = question.failure(in: session.name) { throw failure }
            return
        }
        do throws(VTError) {
            try await withHolder(of: session) { connection throws(VTError) in try await connection.ask(request) }
        } catch {
            // Without its holder, the session is lost, and the question with it.
            guard error.code == .hostUnreachable else { throw error }
            throw Self.ended(try host.session(session.id.text))
        }
    }
}
