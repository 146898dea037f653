import Core
import Synchronization

/// Sessions in memory, with scripted holders.
package final class FakeSessionStore: SessionStore {
    package struct Kept {
        package var record: Session
        package var log: MemoryLog
        /// Connects to the holder; nil if there is no holder.
        package var holder: (@Sendable () throws(VTError) -> FakeHolder)?

        package init(
            record: Session,
            log: MemoryLog = MemoryLog([]),
            holder: (@Sendable () throws(VTError) -> FakeHolder)? = nil
        ) {
            self.record = record
            self.log = log
            self.holder = holder
        }
    }

    private struct State {
        var kept: [Kept] = []
        var requests: [SessionRequest] = []
        var killedWithoutHolder: [String] = []
        var survivors: [String] = []
        var remains: [SessionID: [String]] = [:]
        var looks = 0
    }

    private let state = Mutex(State())
    /// Reports every change to a session, for tasks that wait until a session has started.
    package let starts = MemoryLogChanges()

    package init(_ kept: [Kept] = []) {
        state.withLock { $0.kept = kept }
    }

    package var requests: [SessionRequest] { state.withLock { $0.requests } }
    /// The number of times a session was looked up by name or ID.
    package var looks: Int { state.withLock { $0.looks } }
    package var killedWithoutHolder: [String] { state.withLock { $0.killedWithoutHolder } }
    package var keptNames: [String] { state.withLock { $0.kept.map(\.record.name) } }

    package func names() throws(VTError) -> [String] { keptNames }

    /// Specifies the processes that survive `killWithoutHolder`.
    package func leave(_ survivors: [String]) { state.withLock { $0.survivors = survivors } }

    /// Specifies the processes of a lost session that keep running until `killWithoutHolder` is called.
    package func leave(running processes: [String], of id: SessionID) { state.withLock { $0.remains[id] = processes } }

    package func remains(of sessions: [Session]) -> [SessionID: [String]] {
        state.withLock { state in state.remains.filter { id, _ in sessions.contains { $0.id == id } } }
    }

    package func change(_ name: String, _ change: (inout Kept) -> Void) {
        state.withLock { state in
            guard let index = state.kept.firstIndex(where: { $0.record.name == name }) else { return }
            change(&state.kept[index])
        }
        starts.tell()
    }

    package func create(_ request: SessionRequest) async throws(VTError) -> Session {
        let name = request.creation.name.text
        guard !keptNames.contains(name) else { throw VTError(.exists, "'\(name)' is taken") }
        var record = Session.sample(name)
        record.command = request.creation.command.map(\.repairedText)
        let kept = Kept(record: record)
        state.withLock { state in
            state.requests.append(request)
            state.kept.append(kept)
        }
        return record
    }

    package func changes(of id: SessionID) throws(VTError) -> SessionLogChanges {
        let changes = try kept(id.text).log.changes
        return { () async throws(VTError) in try await changes.next() }
    }

    package func startChanges(of id: SessionID) throws(VTError) -> SessionLogChanges {
        _ = try kept(id.text)
        return { [starts] () async throws(VTError) in try await starts.next() }
    }

    package func sessions(_ diagnostics: any Diagnostics) throws(VTError) -> [Session] {
        state.withLock { $0.kept.map(\.record) }
    }

    package func session(_ nameOrID: String) throws(VTError) -> Session {
        state.withLock { $0.looks += 1 }
        return try kept(nameOrID).record
    }

    package func hook(for shell: String, in id: SessionID) -> String? {
        "hook of \(shell) in \(id.text)"
    }

    package func log(of id: SessionID) throws(VTError) -> any SessionLog {
        try kept(id.text).log
    }

    package func state(ofRequest id: String, to session: SessionID) throws(VTError) -> RequestState {
        _ = try kept(session.text)
        return .unseen
    }

    package func connect(to id: SessionID) async throws(VTError) -> any SessionChannel {
        guard let holder = try kept(id.text).holder else { throw VTError(.notFound, "the session has no holder") }
        return try holder()
    }

    package func rename(_ id: SessionID, to name: SessionName) async throws(VTError) {
        change(try session(id.text).name) { $0.record.name = name.text }
    }

    package func remove(_ id: SessionID) async throws(VTError) -> Bool {
        try removeNow(id)
    }

    /// Removes a session, for use where nothing can wait.
    package func removeNow(_ id: SessionID) throws(VTError) -> Bool {
        try state.withLock { state throws(VTError) in
            guard let index = state.kept.firstIndex(where: { $0.record.id == id }) else { return false }
            guard !state.kept[index].record.state.isLive else { throw VTError(.busy, "the session is running") }
            state.kept.remove(at: index)
            return true
        }
    }

    package func removeExpired(among sessions: [Session]) -> [Session] {
        let now = Timestamp.now()
        return sessions.filter { session in
            let isRemoved = session.isExpired(now: now) && remains(of: [session]).isEmpty
            return !isRemoved || (try? removeNow(session.id)) == nil
        }
    }

    package func resume(_ id: SessionID, launchPrefix: [ByteString]) async throws(VTError) {
        throw VTError(.internal, "not used in tests")
    }

    package func mark(_ id: SessionID, _ label: MarkerLabel) async throws(VTError) -> UInt64 {
        throw VTError(.internal, "not used in tests")
    }

    package func killWithoutHolder(
        _ id: SessionID,
        signal: SignalName?,
        grace: Duration,
        keepsPause: Bool
    ) async throws(VTError) -> [String] {
        let name = try session(id.text).name
        change(name) { $0.record.state = keepsPause ? .paused : .lost }
        state.withLock { $0.remains[id] = nil }
        return state.withLock { state in
            state.killedWithoutHolder.append(name)
            return state.survivors
        }
    }

    private func kept(_ nameOrID: String) throws(VTError) -> Kept {
        let kept = state.withLock { state in
            state.kept.first { $0.record.name == nameOrID || $0.record.id.text == nameOrID }
        }
        guard let kept else { throw VTError(.notFound, "no such session: '\(nameOrID)'") }
        return kept
    }
}

/// A log in memory, whose beginning can be discarded.
package final class MemoryLog: SessionLog {
    private struct State {
        var bytes: [UInt8]
        var first: UInt64
        var times: [(Timestamp, UInt64)] = []
        var events: [SessionLogEvent] = []
    }

    package let changes = MemoryLogChanges()
    private let state: Mutex<State>

    package init(_ bytes: [UInt8], first: UInt64 = 0, times: [(Timestamp, UInt64)] = []) {
        state = Mutex(State(bytes: bytes, first: first, times: times))
    }

    package func append(_ bytes: [UInt8]) { state.withLock { $0.bytes += bytes } }

    package func append(_ event: SessionLogEvent) {
        state.withLock { $0.events.append(event) }
        changes.tell()
    }

    package func release(before offset: UInt64) { state.withLock { $0.first = offset } }

    package func firstOffset() throws(VTError) -> UInt64 { state.withLock { $0.first } }

    package func endOffset() throws(VTError) -> UInt64 { state.withLock { UInt64($0.bytes.count) } }

    package func read(from offset: UInt64, limit: Int) throws(VTError) -> [UInt8] {
        state.withLock { Array($0.bytes.dropFirst(Int(offset)).prefix(limit)) }
    }

    package func offset(at time: Timestamp) throws(VTError) -> UInt64 {
        state.withLock { state in state.times.first { $0.0 >= time }?.1 ?? UInt64(state.bytes.count) }
    }

    package func events(from position: UInt64) -> SessionLogPage {
        state.withLock { state in
            SessionLogPage(Array(state.events.dropFirst(Int(position))), next: UInt64(state.events.count))
        }
    }
}
