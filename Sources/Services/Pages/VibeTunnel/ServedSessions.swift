import Core
import Runtime
import Terminal
import VibeTunnel

/// What a client of VibeTunnel may do with the sessions that a server serves.
struct ServedSessions: Sendable {
    let server: PageServer
    let access: PageAccess

    /// How long a program may take to read its input.
    private static let inputTimeout = Duration.seconds(5)
    private static let lateScreen = VTError(.timedOut, "the screen of the session has not arrived")
    /// How long a program may take to end after HUP and TERM, as upstream.
    private static let grace = Duration.seconds(3)

    /// The sessions, newest first; those of a server that cannot be reached are left out.
    func all() async -> [ServedSession] {
        var found: [ServedSession] = []
        for profile in server.catalog.machines {
            guard let client = try? server.watched.client(of: profile),
                let sessions = try? await client.call(ListRequest())
            else { continue }
            found += sessions.map { ServedSession(session: $0, profile: profile, client: client) }.filter(isAllowed)
        }
        return found.sorted { $0.startedAt > $1.startedAt }
    }

    /// - Throws: `not-found`; errors of the machines that could not be asked.
    func find(_ id: String) async throws(VTError) -> ServedSession {
        var failure = VTError(.notFound, "there is no session '\(id)'")
        for profile in server.catalog.machines where SessionID(id) != nil {
            do throws(VTError) {
                let client = try server.watched.client(of: profile)
                let found = ServedSession(session: try await client.session(id), profile: profile, client: client)
                if isAllowed(found) { return found }
            } catch {
                if error.code != .notFound { failure = error }
            }
        }
        throw failure
    }

    private func isAllowed(_ found: ServedSession) -> Bool {
        guard server.catalog.isServed(found.session, on: found.profile) else { return false }
        return access.subject.map { $0 == .session(profile: found.profile, found.session.id) } ?? true
    }

    // MARK: - Input

    /// Whether the client may only watch.
    var isReadOnly: Bool { !access.role.canType }

    /// Types into a session.
    func type(_ input: WatchedSession.Input, into found: ServedSession) async throws(VibeTunnelRefusal) {
        guard !isReadOnly else { throw .readOnly }
        guard found.session.state.isLive else { throw .ended }
        do throws(VTError) {
            let bytes: [UInt8]
            if case .bytes(let given) = input {
                bytes = given
            } else {
                bytes = try await withTimeout(Self.inputTimeout, on: server.clock, throwing: Self.lateScreen) {
                    () async throws(VTError) in
                    try await watching(found, {}) { watched throws(VTError) in try watched.bytes(of: input) }
                }
            }
            guard !bytes.isEmpty else { return }
            _ = try await found.client.call(SendRequest(bytes, timeout: Self.inputTimeout), on: found.id)
        } catch {
            throw error.code == .negative ? .ended : VibeTunnelRefusal(error)
        }
    }

    /// The input for a key with upstream's name.
    static func input(forKey name: String) throws(VibeTunnelRefusal) -> WatchedSession.Input {
        guard let key = VibeTunnelKey(named: name) else { throw VibeTunnelRefusal(400, "Unknown key: \(name)") }
        return key.hasOwnBytes ? .bytes(key.bytes) : .key(key.keyName)
    }

    /// Joins a session that is watched while `body` runs, once there is a screen; calls `observe` after each change.
    func watching<Result: Sendable>(
        _ found: ServedSession,
        _ observe: @escaping @Sendable () -> Void,
        _ body: (WatchedSession) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        let page = server.nextPage()
        let watched = try server.watched.join(
            found.session.id,
            on: found.profile,
            named: found.name,
            page: page,
            observe
        )
        defer { server.watched.leave(watched, page: page) }
        try await watched.ready()
        return try await body(watched)
    }

    // MARK: - Other verbs

    func resize(_ found: ServedSession, to size: TerminalSize) async throws(VibeTunnelRefusal) {
        guard !isReadOnly else { throw .readOnly }
        guard found.session.state.isLive else { throw .ended }
        try await attempt { () throws(VTError) in try await found.client.call(ResizeRequest(to: size), on: found.id) }
        // The size is that of a client that shows the session, and has no say once that has gone.
        server.watched.current(found.session.id, on: found.profile)?.resize(to: size)
    }

    /// Ends a session, or sends it a signal; does nothing to one that has ended.
    func kill(_ found: ServedSession, signal: SignalName? = nil) async throws(VibeTunnelRefusal) {
        guard !isReadOnly else { throw .readOnly }
        guard found.session.state.isLive || found.session.state == .lost else { return }
        let survivors = try await attempt { () throws(VTError) in
            try await found.client.call(KillRequest(signal, grace: Self.grace), on: found.id)
        }
        guard survivors.isEmpty else {
            throw VibeTunnelRefusal(500, "\(survivors.joined(separator: ", ")) did not end")
        }
    }

    /// Removes a session, after ending it; returns whether it has been removed.
    func remove(_ found: ServedSession) async throws(VibeTunnelRefusal) -> Bool {
        guard !isReadOnly else { throw .readOnly }
        return try await attempt { () throws(VTError) in
            try await found.client.killAndRemove(found.id, grace: Self.grace).survivors.isEmpty
        }
    }

    /// Removes the sessions that have ended; returns their number.
    func removeEnded() async throws(VibeTunnelRefusal) -> Int {
        guard !isReadOnly else { throw .readOnly }
        var count = 0
        for found in await all() where !found.session.state.isLive && found.session.state != .lost {
            // The holder of the session may be about to exit, or another client may have removed the session.
            let removed = try? await found.client.call(CleanupRequest([found.id]))
            count += removed?.count ?? 0
        }
        return count
    }

    /// Renames a session; returns the new name, which is as close to the given one as possible.
    func rename(_ found: ServedSession, to name: String) async throws(VibeTunnelRefusal) -> String {
        guard !isReadOnly else { throw .readOnly }
        return try await attempt { () throws(VTError) in
            try await withName(name, on: found.client, of: found.session.id) { name throws(VTError) in
                try await found.client.call(RenameRequest(to: name), on: found.id)
                return name.text
            }
        }
    }

    /// Creates a session on this machine.
    func create(_ request: VibeTunnelCreation) async throws(VibeTunnelRefusal) -> Session {
        guard access.role == .owner, server.catalog.servesAll else { throw .notOwner }
        do throws(VTError) {
            let client = try server.watched.client(of: nil)
            return try await withName(request.name, on: client) { name throws(VTError) in
                try await client.call(request.creation(named: name)).session
            }
        } catch {
            throw VibeTunnelRefusal(ofCreation: error)
        }
    }

    /// Calls `body` with a name that is as close to the given one as possible, and that no other session has.
    private func withName<Result>(
        _ text: String,
        on client: SessionClient,
        of id: SessionID? = nil,
        _ body: (SessionName) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        let taken = Set(try await client.call(ListRequest()).filter { $0.id != id }.map(\.name))
        for number in 1...Self.nameAttempts {
            let name = try SessionName(nearestTo: text, number: number)
            guard !taken.contains(name.text) else { continue }
            do throws(VTError) {
                return try await body(name)
            } catch {
                guard error.code == .exists else { throw error }
            }
        }
        throw VTError(.exists, "there are too many sessions named '\(text)'")
    }

    private static let nameAttempts = 1000

    private func attempt<Result>(
        _ body: () async throws(VTError) -> Result
    ) async throws(VibeTunnelRefusal) -> Result {
        do throws(VTError) {
            return try await body()
        } catch {
            throw VibeTunnelRefusal(error)
        }
    }
}
