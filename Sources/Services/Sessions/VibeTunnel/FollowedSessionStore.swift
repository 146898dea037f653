import Core

/// The sessions of this machine, as far as one session of a VibeTunnel server is among them: so what works on the log
/// of a session also works on the output that has been received.
struct FollowedSessionStore: SessionStore {
    let session: FollowedSession
    let channel: @Sendable () -> any SessionChannel

    func sessions(_ diagnostics: any Diagnostics) throws(VTError) -> [Session] { [session.record] }

    func names() throws(VTError) -> [String] { [session.record.name] }

    func session(_ nameOrID: String) throws(VTError) -> Session { session.record }

    func log(of id: SessionID) throws(VTError) -> any SessionLog { session }

    func changes(of id: SessionID) throws(VTError) -> SessionLogChanges {
        { [session] () async throws(VTError) in
            guard !session.hasEnded else { return false }
            await session.changed()
            if Task.isCancelled { throw .cancelled }
            return true
        }
    }

    func startChanges(of id: SessionID) throws(VTError) -> SessionLogChanges { try changes(of: id) }

    func connect(to id: SessionID) async throws(VTError) -> any SessionChannel { channel() }

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
