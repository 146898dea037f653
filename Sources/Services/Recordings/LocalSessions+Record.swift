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
        // Start watching before the first read, so that nothing written meanwhile is missed.
        let changes = request.follows ? try liveChanges(of: session) : nil
        var export = try SessionExport(session, log: try host.log(of: session.id), request, diagnostics)
        var isCutOff = false
        var isFirst = true
        while try await !export.advance(to: sink) {
            // The logged output is written before an unresponsive holder ends the recording.
            if isFirst, changes != nil { try await checkHolder(of: session) }
            isFirst = false
            guard let changes, try await changes.next() else {
                // The holder may have written output until it exited.
                isCutOff = try await !export.advance(to: sink)
                break
            }
            try await pause(Self.batchPause)
        }
        try await export.finish(to: sink)
        if request.follows, isCutOff { try checkEnd(of: session) }
    }

    /// Throws if a session whose timeline has stopped has not ended, because its recording is incomplete.
    private func checkEnd(of session: Session) throws(VTError) {
        var last: Session
        do throws(VTError) {
            last = try host.session(session.id.text)
        } catch {
            // Only sessions that have ended are removed.
            guard error.code != .notFound else { return }
            throw error
        }
        guard last.state != .exited else { return }
        // The holder has closed the timeline, and may be about to exit.
        if last.state.isLive { last.state = .lost }
        throw Self.ended(last)
    }

    /// Output written within this time is read and written in one batch.
    private static let batchPause = Duration.milliseconds(10)

    /// Returns nil for a session that has ended.
    private func liveChanges(of session: Session) throws(VTError) -> (any SessionLogChanges)? {
        do throws(VTError) {
            let changes = try host.changes(of: session.id)
            // It may have ended before watching started.
            return try host.session(session.id.text).state.isLive ? changes : nil
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }
}
