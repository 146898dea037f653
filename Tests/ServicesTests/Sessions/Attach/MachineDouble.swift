import Core
import Synchronization

/// A machine with one session, `build`, whose holder has exited.
final class MachineDouble: SessionStore {
    private let exit: Core.ExitStatus?
    private let kept: KeptOutput
    private let isLive: Mutex<Bool>

    /// The session is lost if `exit` is nil; with `isLiveAtFirst`, it is reported as running until a client connects.
    init(exit: Core.ExitStatus?, output: String, firstOffset: UInt64 = 0, isLiveAtFirst: Bool = false) {
        self.exit = exit
        kept = KeptOutput(bytes: Array(output.utf8), first: firstOffset)
        isLive = Mutex(isLiveAtFirst)
    }

    func session(_ nameOrID: String) throws(VTError) -> Session {
        var record = Session.example
        guard nameOrID == record.name || nameOrID == record.id.text else {
            throw VTError(.notFound, "no such session: '\(nameOrID)'")
        }
        record.state = isLive.withLock { $0 } ? .running : exit == nil ? .lost : .exited
        record.exit = exit
        return record
    }

    func connect(to id: SessionID) async throws(VTError) -> any SessionChannel {
        isLive.withLock { $0 = false }
        throw VTError(.notFound, "the holder is gone")
    }

    func hook(for shell: String, in id: SessionID) -> String? { nil }

    func state(ofRequest id: String, to session: SessionID) throws(VTError) -> RequestState { .unseen }

    func log(of id: SessionID) throws(VTError) -> any SessionLog { kept }

    func create(_ request: SessionRequest) async throws(VTError) -> Session { throw Self.never }

    func changes(of id: SessionID) throws(VTError) -> SessionLogChanges { throw Self.never }

    func startChanges(of id: SessionID) throws(VTError) -> SessionLogChanges { throw Self.never }

    func names() throws(VTError) -> [String] { [] }

    func sessions(_ diagnostics: any Diagnostics) throws(VTError) -> [Session] { throw Self.never }

    func rename(_ id: SessionID, to name: SessionName) throws(VTError) { throw Self.never }

    func remove(_ id: SessionID) throws(VTError) -> Bool { throw Self.never }

    func removeExpired(among sessions: [Session]) -> [Session] { sessions }

    func remains(of sessions: [Session]) -> [SessionID: [String]] { [:] }

    func killWithoutHolder(
        _ id: SessionID,
        signal: SignalName?,
        grace: Duration,
        keepsPause: Bool
    ) async throws(VTError) -> [String] {
        throw Self.never
    }

    func resume(_ id: SessionID, launchPrefix: [ByteString]) async throws(VTError) { throw Self.never }

    func mark(_ id: SessionID, _ label: MarkerLabel) async throws(VTError) -> UInt64 { throw Self.never }

    private static let never = VTError(.internal, "not used in this test")
}

/// The output of a session, in memory.
private struct KeptOutput: SessionLog {
    let bytes: [UInt8]
    let first: UInt64

    func firstOffset() throws(VTError) -> UInt64 { first }

    func endOffset() throws(VTError) -> UInt64 { UInt64(bytes.count) }

    func read(from offset: UInt64, limit: Int) throws(VTError) -> [UInt8] {
        Array(bytes.dropFirst(Int(offset)).prefix(limit))
    }

    func offset(at time: Timestamp) throws(VTError) -> UInt64 { UInt64(bytes.count) }

    func events(from position: UInt64) -> SessionLogPage { SessionLogPage([], next: position) }
}
