import Core
import Runtime
import System

/// The sessions of this machine.
package struct LocalSessions: Sendable {
    let host: any SessionStore
    private(set) var world: World
    /// Nil if there are no snapshots, because the sessions are of another machine.
    let snapshots: SnapshotService?
    /// How long a session without prompt marks must be silent before a wait for a prompt fails.
    var unmarkedPause = Duration.seconds(10)
    /// Timeouts for detecting a stopped holder while following its output.
    var holderLimits = HolderLimits()

    package init(_ world: World) throws(VTError) {
        (host, snapshots, self.world) = (try world.sessions(), try SnapshotService(world), world)
    }

    /// The sessions in another store.
    init(in host: any SessionStore, _ world: World) {
        (self.host, snapshots, self.world) = (host, nil, world)
    }

    var clock: any Clock<Duration> { world.clock }
    /// The version reported to holders.
    var version: String { world.version }
    var diagnostics: any Diagnostics {
        get { world.diagnostics }
        set { world.diagnostics = newValue }
    }

    package func sessions(_ filter: SessionFilter) async throws(VTError) -> [Session] {
        let now = Timestamp.now()
        return host.removeExpired(among: try host.sessions(diagnostics)).filter { filter.includes($0, now: now) }
    }

    package func session(_ name: String) async throws(VTError) -> Session {
        let session = try host.session(name)
        guard session.state == .running || session.state == .frozen else { return session }
        do throws(VTError) {
            // The holder's record has more fields, such as the number of clients.
            return try await holderRecord(of: session)
        } catch {
            guard !error.isCancellation else { throw error }
            guard !error.code.isNegative else { return try host.session(name) }
            diagnostics.note("\(error.message); using the last recorded state")
            return session
        }
    }

    // MARK: - Holders

    /// Connects to the holder of a running session, for the duration of `body`.
    ///
    /// - Throws: `negative` when the session has ended.
    func withHolder<Result: Sendable>(
        of session: Session,
        _ body: (SessionConnection) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        let connection = try await connection(to: session)
        return try await withCleanup(connection.close) { () async throws(VTError) in try await body(connection) }
    }

    /// Checks that the holder of a session responds, unless it is gone.
    ///
    /// - Throws: `protocol` when the holder does not respond within `SessionFrame.helloTimeout`.
    func checkHolder(of session: Session) async throws(VTError) {
        do throws(VTError) {
            try await withHolder(of: session) { _ in }
        } catch {
            guard error.code.isNegative || error.code == .hostUnreachable else { throw error }
        }
    }

    /// Connects to the holder of a running session; waits up to `startLimit` for a session that is starting.
    func connection(
        to session: Session,
        startLimit: Duration? = nil
    ) async throws(VTError) -> SessionConnection {
        let session = try await host.started(session, within: startLimit, clock: clock)
        guard let channel = try await holder(of: session) else {
            if session.state == .paused, let error = session.suspensionError() { throw error }
            throw Self.ended(session)
        }
        return try await SessionConnection.open(channel, to: session.name, version: version, clock: clock)
    }

    /// Opens a channel to the holder of a session; nil if there is none.
    private func holder(of session: Session) async throws(VTError) -> (any SessionChannel)? {
        guard session.state.isLive else { return nil }
        do throws(VTError) {
            return try await host.connect(to: session.id)
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    package func withHolder(
        of session: String,
        _ body: @escaping @Sendable (any SessionChannel) async throws(VTError) -> ExitStatus?
    ) async throws(VTError) -> ExitStatus? {
        let channel = try await channel(to: session)
        return try await withCleanup(channel.close) { () async throws(VTError) in try await body(channel) }
    }

    /// Connects to the holder or, if it has exited, to a replacement based on the session's files.
    func channel(to session: String) async throws(VTError) -> any SessionChannel {
        let record = try await host.started(try host.session(session), clock: clock)
        if let channel = try await holder(of: record) { return channel }
        // The session may have ended in the meantime, so read its record again.
        let last = try host.session(record.id.text)
        return StandInChannel(for: EndedSession(record: last, log: try host.log(of: last.id)), version: version)
    }

    func holderRecord(of session: Session) async throws(VTError) -> Session {
        try await withHolder(of: session) { connection throws(VTError) in try await connection.status() }
    }

    /// Opens the log of a session that was found before.
    ///
    /// - Throws: `not-found` when the session has been removed in the meantime.
    func log(of session: Session) throws(VTError) -> any SessionLog {
        do throws(VTError) {
            return try host.log(of: session.id)
        } catch {
            throw error.code == .notFound ? Self.removed(session) : error
        }
    }

    static func removed(_ session: Session) -> VTError {
        VTError(.notFound, "session '\(session.name)' has been removed")
    }

    static func ended(_ session: Session) -> VTError {
        VTError(.ended, session.endText(), hint: session.detailsHint())
    }
}
