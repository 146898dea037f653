import Core
import Recording

extension LocalSessions {
    package func record(_ name: String, _ request: RecordRequest, to sink: any ByteSink) async throws(VTError) {
        let session = try await host.started(try host.session(name), clock: clock)
        guard !request.includesInput || session.logsInput else {
            throw VTError(
                .usage,
                "input of session '\(session.name)' is not logged",
                hint: "vt sessions create NAME --log-input"
            )
        }
        // Watched before the first look, so that nothing that is written meanwhile is missed.
        let changes = request.follows ? try liveChanges(of: session) : nil
        var export = try SessionExport(session, log: try host.log(of: session.id), request, diagnostics)
        var isCutOff = false
        var isFirst = true
        while try await !export.advance(to: sink) {
            // What was logged is written before a holder that does not answer ends the recording.
            if isFirst, changes != nil { try await checkHolder(of: session) }
            isFirst = false
            guard let changes, try await changes.next() else {
                // Its holder may have written until it went.
                isCutOff = try await !export.advance(to: sink)
                break
            }
            try await pause(Self.batchPause)
        }
        try await export.finish(to: sink)
        if request.follows, isCutOff { try checkEnd(of: session) }
    }

    /// Throws when a session whose timeline goes on no further has not ended, so that its recording is not whole.
    private func checkEnd(of session: Session) throws(VTError) {
        var last: Session
        do throws(VTError) {
            last = try host.session(session.id.text)
        } catch {
            // Only what has ended is removed.
            guard error.code != .notFound else { return }
            throw error
        }
        guard last.state != .exited else { return }
        // The holder has closed the timeline, and may be about to be gone.
        if last.state.isLive { last.state = .lost }
        throw Self.ended(last)
    }

    /// What is written meanwhile is read and written in one go.
    private static let batchPause = Duration.milliseconds(10)

    /// Nil for a session that has ended.
    private func liveChanges(of session: Session) throws(VTError) -> (any SessionLogChanges)? {
        do throws(VTError) {
            let changes = try host.changes(of: session.id)
            // It may have ended before it was watched.
            return try host.session(session.id.text).state.isLive ? changes : nil
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }
}
