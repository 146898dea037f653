import Core
import Recording

/// The sessions of one machine, local or remote, with the operations that commands need.
///
/// Every `name` is a session's exact name or ID; `not-found` is thrown if there is no such session.
package protocol SessionSite: Sendable {
    /// Creates a session; returns the session, and whether it is new: with `IfExists.ok`, it may be an existing one.
    ///
    /// - Throws: `exists`; `negative` when the session must survive a logout but might not; errors that prevent the
    ///   program from starting.
    func create(_ request: SessionCreation) async throws(VTError) -> (session: Session, isNew: Bool)

    /// Returns the sessions, oldest first.
    func sessions(_ filter: SessionFilter) async throws(VTError) -> [Session]

    func session(_ name: String) async throws(VTError) -> Session

    /// Passes the output to the receiver; returns the session with its state at the end.
    ///
    /// With `follows`, continues until the session has ended; without it, passes only the existing output.
    func logs(
        of name: String,
        from start: LogStart,
        follows: Bool,
        receiver: any OutputReceiver
    ) async throws(VTError) -> Session

    /// Writes the recording of a session, or the requested part of it, to the sink, in whole lines if possible.
    ///
    /// - Throws: `usage` when input is requested but was not logged; errors from the sink.
    func record(_ name: String, _ request: RecordRequest, to sink: any ByteSink) async throws(VTError)

    /// Writes input to the session's terminal; once all of it is written, returns the offset that the output had
    /// reached before the input.
    ///
    /// - Throws: `negative` when the session has ended; `timed-out`, in which case part of the input may have been
    ///   written; errors reported by the holder.
    func send(_ input: SessionInput, to name: String, timeout: Duration?) async throws(VTError) -> UInt64

    /// - Throws: `negative` when the session ends before the condition is met, or is lost; `timed-out`.
    func wait(
        for condition: WaitCondition,
        of name: String,
        from offset: UInt64?,
        timeout: Duration?
    ) async throws(VTError) -> WaitOutcome

    /// Returns the current screen of the session's terminal or, with an offset, the screen at that point.
    ///
    /// - Throws: `data.invalid` for an offset after the end of the output, or before the first byte that is still kept.
    func screen(of name: String, _ request: ScreenRequest) async throws(VTError) -> SessionScreen

    func resize(_ name: String, to size: TerminalSize) async throws(VTError)

    func rename(_ name: String, to newName: SessionName) async throws(VTError)

    /// Ends a session or, with a signal, only sends the signal; returns the surviving processes, as `PID NAME`.
    ///
    /// A session that has already ended is not an error, but is reported.
    ///
    /// - Throws: `negative` when no process can receive the signal.
    func kill(_ name: String, signal: SignalName?, grace: Duration) async throws(VTError) -> [String]

    /// Removes sessions that have ended, with their logs: the named ones or, without names, those selected by the
    /// filter.
    ///
    /// Returns the removed sessions or, with `isDryRun`, those that would be removed.
    ///
    /// - Throws: `busy` for a named session that has not ended, or that was lost and still has running processes.
    func cleanUp(_ names: [String], _ filter: SessionFilter, isDryRun: Bool) async throws(VTError) -> [Session]

    /// Closes shared resources; no calls are possible afterward.
    func close() async
}

extension SessionSite {
    /// Ends a session, unless it has already ended, and removes it with its log.
    ///
    /// Returns the removed session, and the surviving processes, as `PID NAME`; if there are any, the session is kept.
    package func killAndRemove(
        _ name: String,
        grace: Duration
    ) async throws(VTError) -> (session: Session, survivors: [String]) {
        var session = try await session(name)
        do throws(VTError) {
            // Processes of a lost session may still be running.
            if session.state.isLive || session.state == .lost {
                let survivors = try await kill(session.id.text, signal: nil, grace: grace)
                guard survivors.isEmpty else { return (session, survivors) }
            }
            let removed = try await cleanUp([session.id.text], SessionFilter(), isDryRun: false)
            if let removed = removed.first { return (removed, []) }
            throw VTError(.notFound, "session '\(session.name)' has been removed")
        } catch {
            // Its holder or another process has removed it; how its program ended is unknown.
            guard error.code == .notFound else { throw error }
            if session.state.isLive { session.state = .exited }
            return (session, [])
        }
    }
}
