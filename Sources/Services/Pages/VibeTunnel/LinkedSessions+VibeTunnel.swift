import Core
import Runtime
import Terminal
import VibeTunnel

/// What a client of VibeTunnel may do with the sessions.
extension LinkedSessions {
    /// How long a program may take to read its input.
    private static let inputTimeout = Duration.seconds(5)
    private static let lateScreen = VTError(.timedOut, "the screen of the session has not arrived")
    /// How long a program may take to end after HUP and TERM, as upstream.
    private static let grace = Duration.seconds(3)

    /// The sessions, newest first; those of a server that cannot be reached are left out.
    func all() async -> [LinkedSession] {
        var found: [LinkedSession] = []
        for profile in server.catalog.machines {
            guard let client = try? server.watched.client(of: profile),
                let sessions = try? await client.call(ListRequest())
            else { continue }
            let served = sessions.filter { server.catalog.serves($0, on: profile, to: access) }
            found += served.map { LinkedSession(session: $0, profile: profile, client: client) }
        }
        return found.sorted { $0.startedAt > $1.startedAt }
    }

    /// - Throws: `not-found`; errors of the machines that could not be asked.
    func find(_ id: String) async throws(VTError) -> LinkedSession {
        var failure = VTError(.notFound, "there is no session '\(id)'")
        for profile in server.catalog.machines where SessionID(id) != nil {
            do throws(VTError) {
                let client = try server.watched.client(of: profile)
                let session = try await client.session(id)
                guard server.catalog.serves(session, on: profile, to: access) else { continue }
                return LinkedSession(session: session, profile: profile, client: client)
            } catch {
                if error.code != .notFound { failure = error }
            }
        }
        throw failure
    }

    // MARK: - Input

    /// Whether the client may only watch.
    var isReadOnly: Bool { !access.role.canType }

    /// Types into a session.
    func type(_ input: WatchedSession.Input, into found: LinkedSession) async throws(VibeTunnelRefusal) {
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
            var request = SendRequest(bytes, timeout: Self.inputTimeout)
            // This is the person whom a question is for.
            request.isForced = found.session.openQuestion != nil
            _ = try await found.client.call(request, on: found.id)
        } catch {
            throw error.code.isNegative ? .ended : VibeTunnelRefusal(error)
        }
    }

    /// The input for a key with upstream's name.
    static func input(forKey name: String) throws(VibeTunnelRefusal) -> WatchedSession.Input {
        guard let key = VibeTunnelKey(named: name) else { throw VibeTunnelRefusal(400, "Unknown key: \(name)") }
        return key.hasOwnBytes ? .bytes(key.bytes) : .key(key.keyName)
    }

    /// Joins a session that is watched while `body` runs, once there is a screen; calls `observe` after each change.
    func watching<Result: Sendable>(
        _ found: LinkedSession,
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

    func resize(_ found: LinkedSession, to size: TerminalSize) async throws(VibeTunnelRefusal) {
        guard !isReadOnly else { throw .readOnly }
        guard found.session.state.isLive else { throw .ended }
        try await attempt { () throws(VTError) in try await found.client.call(ResizeRequest(to: size), on: found.id) }
        // The size is that of a client that shows the session, and has no say once that has gone.
        server.watched.current(found.session.id, on: found.profile)?.resize(to: size)
    }

    /// Ends a session, or sends it a signal; does nothing to one that has ended.
    func kill(_ found: LinkedSession, signal: SignalName? = nil) async throws(VibeTunnelRefusal) {
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
    func remove(_ found: LinkedSession) async throws(VibeTunnelRefusal) -> Bool {
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
    func rename(_ found: LinkedSession, to name: String) async throws(VibeTunnelRefusal) -> String {
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

    /// Runs `body`, whose error becomes that of the request.
    func attempt<Result>(
        _ body: () async throws(VTError) -> Result
    ) async throws(VibeTunnelRefusal) -> Result {
        do throws(VTError) {
            return try await body()
        } catch {
            throw VibeTunnelRefusal(error)
        }
    }
}

/// Sessions that start and end, for a client over `/ws`.
extension LinkedSessions {
    /// Sends events until the task is canceled.
    func sendEvents(over socket: VibeTunnelSocket) async throws(VTError) {
        let (page, changes) = server.addPage()
        defer { server.removePage(page) }
        var live = await liveSessions()
        try await Self.send("connected", nil, over: socket)
        var last: UInt64 = 1
        while true {
            let known = last
            last = try await changes.wait { $0 == known ? nil : $0 }
            let current = await all()
            for found in current where !found.session.state.isLive && live.contains(found.id) {
                try await Self.send("session-exit", found, over: socket)
            }
            for found in current where found.session.state.isLive && !live.contains(found.id) {
                try await Self.send("session-start", found, over: socket)
            }
            live = Set(current.filter(\.session.state.isLive).map(\.id))
        }
    }

    private func liveSessions() async -> Set<String> {
        Set(await all().filter(\.session.state.isLive).map(\.id))
    }

    private static func send(
        _ type: String,
        _ found: LinkedSession?,
        over socket: VibeTunnelSocket
    ) async throws(VTError) {
        let document = JSONWriter.object { writer in
            writer.member("type", type)
            writer.member("sessionId", found?.id)
            writer.member("exitCode", found?.session.exit?.shellStatus)
            writer.member("timestamp", Timestamp.now())
        }
        try await socket.send(.binary(VibeTunnelFrame(.event, found?.id ?? "", document).encoded))
    }
}

extension LinkedSessions {
    /// Passes on the current screen of a session, and each later one that differs, unless the receiver is slow; returns
    /// the exit status once the session has ended, -1 if it is unknown.
    func screens(
        of found: LinkedSession,
        _ receive: (Screen) async throws(VTError) -> Void
    ) async throws(VTError) -> Int32 {
        let changes = Monitor(UInt64(1))
        let clock = server.clock
        return try await watching(found, { changes.update { $0 += 1 } }) { watched throws(VTError) in
            var (seen, last): (UInt64, UInt64) = (0, 0)
            var shown: Screen?
            while true {
                let known = last
                last = try await changes.wait { $0 == known ? nil : $0 }
                while let delay = watched.paint() {
                    try await clock.pause(for: delay)
                }
                let painted = watched.painted
                if painted.version > seen, let screen = painted.screen {
                    seen = painted.version
                    if screen != shown { try await receive(screen) }
                    shown = screen
                }
                switch watched.end {
                case nil: continue
                case .exit(let status, _): return Int32(status.shellStatus)
                case .some: return -1
                }
            }
        }
    }
}
