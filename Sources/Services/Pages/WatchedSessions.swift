import Core
import Runtime
import Synchronization

/// The sessions that pages watch; a session that nobody watches is disconnected.
final class WatchedSessions: Sendable {
    private struct Entry {
        let session: WatchedSession
        let task: Task<Void, Never>
        /// When the last page has left, while this is awaited or the session is to be disconnected.
        var leftAt: ContinuousClock.Instant?
    }

    private struct State {
        var clients: [String?: SessionClient] = [:]
        var entries: [PageSubject: Entry] = [:]

        func key(of session: WatchedSession) -> PageSubject? {
            entries.first { $0.value.session === session }?.key
        }
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
        let isFirst = state.withLock { state in
            guard !session.isWatched, let key = state.key(of: session) else { return false }
            defer { state.entries[key]?.leftAt = .now }
            return state.entries[key]?.leftAt == nil
        }
        // A page that comes and goes again and again must not start a task each time.
        guard isFirst else { return }
        Task.onCurrentExecutor {
            while !self.removeIfIdle(session) {
                // Nothing cancels this task.
                try? await self.clock.sleep(for: Self.idlePeriod)
            }
        }
    }

    /// Disconnects a session that no page has watched for a while; returns false if this is to be tried again.
    private func removeIfIdle(_ session: WatchedSession) -> Bool {
        state.withLock { state in
            guard let key = state.key(of: session), let entry = state.entries[key], let leftAt = entry.leftAt else {
                return true
            }
            guard !session.isWatched else {
                state.entries[key]?.leftAt = nil
                return true
            }
            let period = Self.idlePeriod * (session.hasPendingInput ? Self.idlePeriods : 1)
            guard leftAt + period <= .now else { return false }
            entry.task.cancel()
            state.entries[key] = nil
            return true
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
