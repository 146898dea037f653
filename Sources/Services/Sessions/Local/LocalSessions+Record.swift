import Core
import Recording
import Runtime

extension LocalSessions {
    package func record(_ name: String, _ request: RecordRequest, to sink: any ByteSink) async throws(VTError) {
        let session = try await host.started(try host.session(name), clock: clock)
        guard !request.includesInput || session.logsInput else {
            throw VTError(
                .usage,
                "cannot record the input of session '\(session.name)': it was not logged",
                hint: "to log input, create the session with 'vt sessions create NAME --log-input'"
            )
        }
        // Start watching before the first read, so that nothing written in between is missed.
        let changes = request.follows ? try liveChanges(of: session) : nil
        let log = try log(of: session)
        var export = try await SessionExport(session, log: log, request, clock: clock, diagnostics)
        var isComplete = try await export.advance(to: sink)
        if !isComplete, let changes {
            // Connect only now, so that the output logged so far is recorded even if the holder does not respond.
            isComplete = try await whileConnected(to: session) { connection throws(VTError) in
                while try await next(changes, connection) {
                    try await clock.pause(for: Self.batchPause)
                    if try await export.advance(to: sink) { return true }
                }
                return false
            }
        }
        // The holder may have written more output before it exited.
        if !isComplete { isComplete = try await export.advance(to: sink) }
        try await export.finish(to: sink)
        do throws(VTError) {
            try reportMissingOutput(of: try host.session(session.id.text), in: log)
        } catch {
            // If the session has been removed in the meantime, it had ended, so its recording is complete.
            guard error.code == .notFound else { throw error }
        }
        if request.follows, !isComplete { try checkEnd(of: session) }
    }

    /// Keeps a connection to the holder open while `body` runs; passes nil if the holder has exited.
    private func whileConnected(
        to session: Session,
        _ body: (SessionConnection?) async throws(VTError) -> Bool
    ) async throws(VTError) -> Bool {
        let connection: SessionConnection?
        do throws(VTError) {
            connection = try await self.connection(to: session)
        } catch {
            guard error.code.isNegative || error.code == .hostUnreachable else { throw error }
            connection = nil
        }
        return try await withCleanup({ await connection?.close() }) { () async throws(VTError) in
            try await body(connection)
        }
    }

    /// Waits for the next change while watching the holder, because the timeline of a stopped holder never changes.
    ///
    /// - Throws: `protocol` when the holder does not respond.
    private func next(
        _ changes: @escaping SessionLogChanges,
        _ connection: SessionConnection?
    ) async throws(VTError) -> Bool {
        guard let connection else { return try await changes() }
        let limits = holderLimits
        return try await withWatch({ () async throws(VTError) in try await connection.watchUnattached(limits) }) {
            () async throws(VTError) in
            try await changes()
        }
    }

    /// Throws an error if the timeline has stopped before the session ended, so that the recording is incomplete.
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
    private func liveChanges(of session: Session) throws(VTError) -> SessionLogChanges? {
        do throws(VTError) {
            let changes = try host.changes(of: session.id)
            // The session may have ended before watching started.
            return try host.session(session.id.text).state.isLive ? changes : nil
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }
}
