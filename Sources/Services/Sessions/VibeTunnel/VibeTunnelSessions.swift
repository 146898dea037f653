import Core
import HTTP
import Recording
import Runtime
import Storage
import Synchronization
import System
import VibeTunnel

/// The sessions of a VibeTunnel server.
///
/// What concerns the output of a session is done by the code for sessions of this machine, with the output that the
/// server sends instead of a log.
package final class VibeTunnelSessions: SessionMachine {
    let server: VibeTunnelServer
    private let world: World
    let profile: Profile
    private let cache: FileSessionNameCache
    /// The sessions to which this process is attached, which continue after a lost connection.
    private let attached = Mutex<[SessionID: FollowedSession]>([:])

    package init(_ plan: VibeTunnelPlan, profile: Profile, in world: World) throws(VTError) {
        server = VibeTunnelServer(plan, in: world)
        cache = try FileSessionNameCache(world)
        (self.profile, self.world) = (profile, world)
    }

    var clock: any Clock<Duration> { world.clock }
    var diagnostics: any Diagnostics { world.diagnostics }

    package var greetingTimeout: Duration? { server.plan.connectTimeout }

    package func name(of session: String) -> String {
        SessionReference(profile: profile.name, session: session).text
    }

    package var hasStableOffsets: Bool { false }

    package func perform(_ call: SessionCall, _ receive: @escaping SessionReceiver) async throws(VTError) {
        let (name, answer) = (call.session, CallAnswer(receive))
        /// Performs the call on the output that is being received.
        let body = { @Sendable (sessions: LocalSessions, id: String) async throws(VTError) in
            try await call.verb.perform(on: id, of: sessions, answer)
        }
        switch call.verb {
        case let creation as SessionCreation: try await create(creation, answer)
        case let request as ListRequest: try await answer.send(try await list(request.filter))
        case let request as CleanupRequest: try await answer.send(try await cleanUp(request))
        case is ShowRequest: try await answer.send([Session(try await session(name))])
        case is StateRequest: throw unqueued
        case let request as SendRequest:
            guard request.id == nil else { throw unqueued }
            try await send(request.input, to: name, timeout: request.timeout)
            try await answer.send(.done)
        case let request as ResizeRequest: try await server.resize(try await running(name).id, to: request.size)
        case let request as RenameRequest: try await rename(name, to: request.name)
        case let request as KillRequest: try await answer.send(.killed(survivors: try await kill(name, request.signal)))
        case let request as LogsRequest:
            try check(request.start)
            try await follow(name, waits: !request.follows || request.start != .offset(0), body)
        case let request as ScreenRequest:
            guard request.offset == nil else { throw unstable("--at") }
            try await follow(name, waits: true, body)
        case let request as RecordRequest: try await follow(name, waits: !request.follows, body)
        case let request as WaitRequest: try await wait(request, for: name, receive)
        case is SnapshotRequest, is SnapshotsRequest, is SnapshotRemoval, is RollbackRequest, is DiffRequest:
            throw VTError(.usage, "'\(profile.name)' is a VibeTunnel server, where vt cannot take snapshots")
        case is ConnectRequest, is DoctorRequest: throw withoutVT
        default:
            var error = VTError(
                .usage,
                "'vt sessions \(call.verb.callName)' is not possible on '\(profile.name)', which is a VibeTunnel server"
            )
            if call.verb is LineExecution { error.hint = "send a line with 'vt sessions send SESSION LINE --enter'" }
            throw error
        }
    }

    private var unqueued: VTError {
        VTError(
            .usage,
            "a VibeTunnel server does not report what it has received, so that input cannot be queued for it",
            hint: "use 'vt sessions send'"
        )
    }

    private var withoutVT: VTError {
        VTError(.usage, "'\(profile.name)' is a VibeTunnel server, which does not run vt")
    }

    // MARK: - Sessions

    /// The session with this name or ID.
    ///
    /// - Throws: `not-found`; `usage` for a name that several sessions have.
    func session(_ name: String) async throws(VTError) -> ServerSession {
        try session(name, among: try await server.sessions())
    }

    /// The one of the server's sessions with this name or ID, as `session(_:)`.
    func session(_ name: String, among all: [ServerSession]) throws(VTError) -> ServerSession {
        if let session = all.first(where: { $0.id.text == name }) { return session }
        let named = all.filter { $0.name == name }
        guard named.count <= 1 else {
            throw VTError(
                .usage,
                "several sessions of '\(profile.name)' have the name '\(name)'",
                hint: "use one of the IDs: \(named.map(\.id.text).joined(separator: ", "))"
            )
        }
        if let session = named.first { return session }
        let nearest = Suggestion.nearest(to: name, among: all.map(\.name).sorted())
        throw VTError(
            .notFound,
            "no such session: '\(self.name(of: name))'",
            hint: nearest.map { "did you mean '\(self.name(of: $0))'?" } ?? "see 'vt sessions list \(profile.name)'"
        )
    }

    /// - Throws: `negative` for a session that has ended.
    func running(_ name: String) async throws(VTError) -> ServerSession {
        let session = try await session(name)
        guard !session.hasEnded else { throw Session(session).unknownEnd(as: self.name(of: name)) }
        return session
    }

    private func list(_ filter: SessionFilter) async throws(VTError) -> [Session] {
        let all = try await server.sessions().map { Session($0) }.sorted { $0.createdAt < $1.createdAt }
        if filter == SessionFilter() { remember(all) }
        let now = Timestamp.now()
        return all.filter { filter.includes($0, now: now) }
    }

    /// Caches what completion offers: the names, or the IDs of sessions whose names cannot be typed or are not unique.
    private func remember(_ sessions: [Session]) {
        let counts = Dictionary(sessions.map { ($0.name, 1) }) { $0 + $1 }
        let words = sessions.map { session in
            (try? SessionName(session.name)) != nil && counts[session.name] == 1 ? session.name : session.id.text
        }
        cache.remember(words, of: profile.name)
    }

    // MARK: - Output

    /// Runs `body` with the sessions of a machine whose only session is the one with this name, while its output is
    /// being received.
    ///
    /// With `waits`, `body` starts after the history has arrived, or after `limit`. With `isLostWithServer`, the session is
    /// lost when the server cannot be reached any more; otherwise, that is an error.
    private func follow(
        _ name: String,
        waits: Bool,
        limit: Duration? = nil,
        policy: ReconnectPolicy = .standard,
        isLostWithServer: Bool = false,
        _ body: @escaping @Sendable (LocalSessions, String) async throws(VTError) -> Void
    ) async throws(VTError) {
        let followed = try await followed(name)
        let sessions = LocalSessions(in: followed, world)
        do throws(VTError) {
            try await withWatch({ () async throws(VTError) in
                do throws(VTError) {
                    try await followed.follow(policy)
                } catch {
                    guard isLostWithServer, followed.record.outputBytes > 0 || followed.history.hasBegun,
                        error.code == .hostUnreachable
                    else { throw error }
                    self.diagnostics.note(error.message)
                    try await followed.finish(nil)
                }
            }) { () async throws(VTError) in
                if waits { try await followed.historyArrived(limit: limit) }
                try await body(sessions, followed.id.text)
            }
        } catch {
            throw adapted(error)
        }
    }

    private func wait(
        _ request: WaitRequest,
        for name: String,
        _ receive: @escaping SessionReceiver
    ) async throws(VTError) {
        guard request.sent == nil else { throw unstable("--wait") }
        guard request.start == nil else { throw unstable("--from") }
        let waits = request.conditions.contains { [.prompt, .idle].contains($0.kind) }
        let limit = FollowedSession.historyTimeout
        let body: @Sendable () async throws(VTError) -> Void = { () async throws(VTError) in
            try await self.follow(name, waits: waits, limit: limit, policy: .brief, isLostWithServer: true) {
                (sessions, id) async throws(VTError) in
                let answer = CallAnswer { frame throws(VTError) in
                    // The offset at which the wait starts means nothing to other commands.
                    if case .accepted = frame { return true }
                    return try await receive(frame)
                }
                try await request.perform(on: id, of: sessions, answer)
            }
        }
        guard let timeout = request.timeout else { return try await body() }
        // The history is part of what is waited for.
        let late = request.timedOut("'\(self.name(of: name))'", after: timeout)
        try await withTimeout(timeout, on: clock, throwing: late, body)
    }

    /// Attaches to a session; after a lost connection, another call continues with the same output.
    package func withHolder(
        of session: String,
        _ body: @escaping @Sendable (any SessionChannel) async throws(VTError) -> ExitStatus?
    ) async throws(VTError) -> ExitStatus? {
        let known = SessionID(foreign: session).flatMap { id in attached.withLock { $0[id] } }
        let followed: FollowedSession
        if let known {
            followed = known
            known.restart()
        } else {
            followed = try await self.followed(session, keepsNotes: true)
            attached.withLock { $0[followed.id] = followed }
        }
        let channel = StandInChannel(for: followed, version: world.version)
        return try await withWatch({ () async throws(VTError) in
            guard !followed.hasEnded else { return }
            do throws(VTError) {
                try await followed.followOnce()
            } catch {
                guard !error.isCancellation else { throw error }
                // The channel reports it after what has been received.
                followed.fail(error)
            }
        }) { () async throws(VTError) in
            try await body(channel)
        }
    }

    private func followed(_ name: String, keepsNotes: Bool = false) async throws(VTError) -> FollowedSession {
        let session = try await session(name)
        return try await FollowedSession(
            session,
            named: self.name(of: session.name),
            on: server,
            keepsNotes: keepsNotes,
            in: world
        )
    }

    // MARK: - Errors

    /// The error with the session named as it can be typed here.
    private func adapted(_ error: VTError) -> VTError {
        var error = error
        error.hint = error.hint.map { hint in
            let words = RelayChannel.hint(hint, on: profile.name)
            return words.firstRange(of: " --from ").map { String(words[..<$0.lowerBound]) } ?? words
        }
        return error
    }

    private func check(_ start: LogStart) throws(VTError) {
        switch start {
        case .offset(0), .lastLines: return
        case .offset: throw unstable("--from")
        case .time, .last: throw unstable("--since")
        }
    }

    /// The error for an option that needs offsets or times.
    private func unstable(_ option: String) -> VTError {
        VTError(
            .usage,
            "\(option) cannot be used with '\(profile.name)': VibeTunnel servers have no stable offsets",
            hint: "make a local copy: vt sessions create NAME -- vt attach \(profile.name):SESSION"
        )
    }
}

extension ReconnectPolicy {
    /// For a wait, which would otherwise not notice for minutes that the server is gone, and the session with it.
    fileprivate static let brief = ReconnectPolicy(attempts: 5, limit: .seconds(4), jitter: 0.3)
}
