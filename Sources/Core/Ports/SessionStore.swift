/// Keeps the sessions of this machine.
package protocol SessionStore: Sendable {
    /// Makes a session; returns once its program runs, its log is open from the first byte and its socket listens.
    ///
    /// - Throws: `exists` when the name is taken, `not-found` for a missing program or directory, `system`,
    ///   `cannot-create`; nothing is left of the session then.
    func create(_ request: SessionRequest) async throws(VTError) -> Session

    /// Returns all sessions, the oldest first, each with its true state; what cannot be read is told to `diagnostics`.
    func sessions(_ diagnostics: any Diagnostics) throws(VTError) -> [Session]

    /// Returns the names of all sessions, in no order, without a look at any of them.
    func names() throws(VTError) -> [String]

    /// Returns the session of exactly this name or id, with its true state.
    ///
    /// - Throws: `not-found`, with the nearest name as hint.
    func session(_ nameOrID: String) throws(VTError) -> Session

    /// Opens what the session has written.
    func log(of id: SessionID) throws(VTError) -> any SessionLog

    /// Begins to watch what a session writes.
    ///
    /// - Throws: `not-found` when it has written nothing yet, or is gone.
    func changes(of id: SessionID) throws(VTError) -> any SessionLogChanges

    /// Connects to the holder of a session; frames travel over the channel from here on.
    ///
    /// - Throws: `not-found` when the session has no holder any more; `protocol` when that takes no connection within
    ///   `SessionFrame.helloTimeout`.
    func connect(to id: SessionID) async throws(VTError) -> any SessionChannel

    /// Gives a session that has ended another name; one that runs is renamed by its holder.
    ///
    /// - Throws: `exists`, `busy` when it has a holder.
    func rename(_ id: SessionID, to name: SessionName) throws(VTError)

    /// Removes a session that has ended, with its log.
    ///
    /// Returns false when it is gone already.
    ///
    /// - Throws: `busy` when it has a holder.
    func remove(_ id: SessionID) throws(VTError) -> Bool

    /// What still runs of those sessions that were lost, as `PID NAME`; sessions of which nothing does are left out.
    func remains(of sessions: [Session]) -> [SessionID: [String]]

    /// Ends a session whose holder does not answer: its program, all that it started, and the holder.
    ///
    /// Returns what is left, as `PID NAME`.
    func killWithoutHolder(_ id: SessionID, signal: SignalName?, grace: Duration) async throws(VTError) -> [String]
}
