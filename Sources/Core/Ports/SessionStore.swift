/// Manages the sessions on this machine.
package protocol SessionStore: Sendable {
    /// Creates a session; returns once its program is running, its output is being logged, and its socket is listening.
    ///
    /// - Throws: `exists` when the name is in use; `not-found` for a missing program or directory; `system` or
    ///   `cannot-create`. A session that cannot be created leaves nothing on disk and no process running; if a process
    ///   of its program cannot be killed, the session is lost.
    func create(_ request: SessionRequest) async throws(VTError) -> Session

    /// Returns all sessions, oldest first, in their current states; unreadable ones are reported to `diagnostics`.
    func sessions(_ diagnostics: any Diagnostics) throws(VTError) -> [Session]

    /// Returns the names of all sessions, unordered, without checking their states.
    func names() throws(VTError) -> [String]

    /// Returns the session with exactly this name or ID, in its current state.
    ///
    /// - Throws: `not-found`, with the closest name as a hint.
    func session(_ nameOrID: String) throws(VTError) -> Session

    /// Returns the text that loads the hook into a shell that was started in the terminal of a session.
    ///
    /// Returns nil if there is no hook for the shell, if the session's program is not an integrated shell, or if the
    /// terminal of this process is not that of the session.
    func hook(for shell: String, in id: SessionID) throws(VTError) -> String?

    /// Opens the log of a session's output.
    func log(of id: SessionID) throws(VTError) -> any SessionLog

    /// What is known about a request with this ID to a session, even after the session has ended.
    ///
    /// - Throws: `not-found` when the session is gone.
    func state(ofRequest id: String, to session: SessionID) throws(VTError) -> RequestState

    /// Starts watching a session's log.
    ///
    /// - Throws: `not-found` when there is no output yet or the session is gone.
    func changes(of id: SessionID) throws(VTError) -> SessionLogChanges

    /// Starts watching a session that is starting; the function returns when the session's state may have changed.
    ///
    /// - Throws: `not-found` when the session is gone.
    func startChanges(of id: SessionID) throws(VTError) -> SessionLogChanges

    /// Connects to the holder of a session; the returned channel carries frames.
    ///
    /// - Throws: `not-found` when the session no longer has a holder; `protocol` when the holder does not accept a
    ///   connection within `SessionFrame.helloTimeout` or, while it is busy, 30 seconds.
    func connect(to id: SessionID) async throws(VTError) -> any SessionChannel

    /// Renames a session that has ended; a running session is renamed by its holder.
    ///
    /// - Throws: `exists`; `busy` when the session has a holder.
    func rename(_ id: SessionID, to name: SessionName) async throws(VTError)

    /// Removes a session that has ended, including its log.
    ///
    /// Returns false if the session is already gone.
    ///
    /// - Throws: `busy` when the session has a holder.
    func remove(_ id: SessionID) async throws(VTError) -> Bool

    /// Removes the expired ones among these sessions (`Session.isExpired`), and returns the others.
    ///
    /// Lost sessions with running processes, or of another host, are not removed. The end of a lost session is recorded as now if it is
    /// unknown. A session that cannot be removed is returned.
    func removeExpired(among sessions: [Session]) -> [Session]

    /// The surviving processes of lost sessions, as `PID NAME`; sessions without any are omitted.
    func remains(of sessions: [Session]) -> [SessionID: [String]]

    /// Ends a session whose holder does not respond, by killing its program, the program's descendants and the holder.
    ///
    /// Returns the surviving processes, as `PID NAME`. If `signal` is not nil, only sends that signal to the program
    /// and its descendants, without waiting, and returns an empty list.
    ///
    /// With `keepsPause`, a paused session remains paused; otherwise, it cannot be resumed afterward.
    func killWithoutHolder(
        _ id: SessionID,
        signal: SignalName?,
        grace: Duration,
        keepsPause: Bool
    ) async throws(VTError) -> [String]

    /// Starts the shell of a paused session that has no holder, with a new holder; nothing happens if it has one.
    ///
    /// `launchPrefix` is as in `SessionRequest`.
    ///
    /// - Throws: `system` when processes of the session cannot be killed, and errors that prevent the shell from
    ///   starting; the session then remains paused.
    func resume(_ id: SessionID, launchPrefix: [ByteString]) async throws(VTError)

    /// Adds a marker to the timeline of a paused session that has no holder; returns its offset.
    ///
    /// - Throws: `busy` when the session has a holder, or is not paused.
    func mark(_ id: SessionID, _ label: MarkerLabel) async throws(VTError) -> UInt64
}
