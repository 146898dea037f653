import Core
import Runtime
import Synchronization

/// The sessions that pages watch; a session that nobody watches is disconnected.
final class WatchedSessions: Sendable {
    private struct Entry {
        let session: WatchedSession
        let task: Task<Void, Never>
    }

    private struct State {
        var clients: [String?: SessionClient] = [:]
        var entries: [PageSubject: Entry] = [:]
    }

    /// How long a session stays connected for a page that reconnects.
    private static let idlePeriod = Duration.seconds(5)
    /// For how many of these periods the delivery of input is awaited.
    private static let idlePeriods = 12

    private let clock: any Clock<Duration>
    private let version: String
    private let makeClient: @Sendable (String?) throws(VTError) -> SessionClient
    private let state = Mutex(State())

    init(
        clock: any Clock<Duration>,
        version: String,
        client: @escaping @Sendable (String?) throws(VTError) -> SessionClient
    ) {
        (self.clock, self.version, makeClient) = (clock, version, client)
    }

    /// The client of the sessions on a profile's server, or on this machine.
    func client(of profile: String?) throws(VTError) -> SessionClient {
        try state.withLock { state throws(VTError) in
            if let client = state.clients[profile] { return client }
            let client = try makeClient(profile)
            state.clients[profile] = client
            return client
        }
    }

    /// Adds a page to a session, which has this name in messages.
    func join(
        _ id: SessionID,
        on profile: String?,
        named name: String,
        page: Int,
        _ observe: @escaping @Sendable () -> Void
    ) throws(VTError) -> WatchedSession {
        let client = try client(of: profile)
        let subject = PageSubject.session(profile: profile, id)
        return state.withLock { state in
            if let session = state.entries[subject]?.session, !session.hasFailed {
                session.join(page, observe)
                return session
            }
            let session = WatchedSession(id, name: name, client: client, clock: clock, version: version)
            session.join(page, observe)
            state.entries[subject] = Entry(session: session, task: .onCurrentExecutor { await session.follow() })
            return session
        }
    }

    /// The session as it is watched now; nil if it is not.
    func current(_ id: SessionID, on profile: String?) -> WatchedSession? {
        state.withLock { $0.entries[.session(profile: profile, id)]?.session }
    }

    /// Removes a page, and disconnects the session after a while if it was the last one.
    func leave(_ session: WatchedSession, page: Int) {
        session.leave(page)
        guard !session.isWatched else { return }
        Task.onCurrentExecutor {
            for _ in 0..<Self.idlePeriods {
                // Nothing cancels this task.
                try? await self.clock.sleep(for: Self.idlePeriod)
                if session.isWatched { return }
                if !session.hasPendingInput { break }
            }
            self.remove(session)
        }
    }

    private func remove(_ session: WatchedSession) {
        state.withLock { state in
            guard !session.isWatched else { return }
            guard let entry = state.entries.first(where: { $0.value.session === session }) else { return }
            entry.value.task.cancel()
            state.entries[entry.key] = nil
        }
    }

    func close() async {
        let clients = state.withLock { state in
            for entry in state.entries.values { entry.task.cancel() }
            return Array(state.clients.values)
        }
        for client in clients { await client.close() }
    }
}
