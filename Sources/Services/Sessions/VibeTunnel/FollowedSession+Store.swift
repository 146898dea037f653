import Core

/// The sessions of a machine on which there is only this one: what works on the log of a session also works on the output
/// that has been received.
extension FollowedSession: SessionStore {
    func sessions(_ diagnostics: any Diagnostics) throws(VTError) -> [Session] { [record] }

    func names() throws(VTError) -> [String] { [record.name] }

    func session(_ nameOrID: String) throws(VTError) -> Session { record }

    func log(of id: SessionID) throws(VTError) -> any SessionLog { self }

    func changes(of id: SessionID) throws(VTError) -> SessionLogChanges {
        { () async throws(VTError) in
            guard !self.hasEnded else { return false }
            await self.changed()
            if Task.isCancelled { throw .cancelled }
            return true
        }
    }

    func startChanges(of id: SessionID) throws(VTError) -> SessionLogChanges { try changes(of: id) }

    func connect(to id: SessionID) async throws(VTError) -> any SessionChannel {
        StandInChannel(for: self, version: world.version)
    }

    func removeExpired(among sessions: [Session]) -> [Session] { sessions }

    func remains(of sessions: [Session]) -> [SessionID: [String]] { [:] }

    func hook(for shell: String, in id: SessionID) throws(VTError) -> String? { nil }

    // MARK: - What is done by requests to the server

    func create(_ request: SessionRequest) async throws(VTError) -> Session { throw unsupported }

    func rename(_ id: SessionID, to name: SessionName) async throws(VTError) { throw unsupported }

    func remove(_ id: SessionID) async throws(VTError) -> Bool { throw unsupported }

    func killWithoutHolder(
        _ id: SessionID,
        signal: SignalName?,
        grace: Duration,
        keepsPause: Bool
    ) async throws(VTError) -> [String] { throw unsupported }

    func resume(_ id: SessionID, launchPrefix: [ByteString]) async throws(VTError) { throw unsupported }

    func mark(_ id: SessionID, _ label: MarkerLabel) async throws(VTError) -> UInt64 { throw unsupported }

    func state(ofRequest id: String, to session: SessionID) throws(VTError) -> RequestState { throw unsupported }

    private var unsupported: VTError { VTError(.internal, "only the server can change a session") }
}
