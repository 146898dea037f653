import Core
import Runtime
import Synchronization
import System

/// The SFTP sessions that are started when there is much to copy, in addition to the first one.
///
/// The copy does not depend on them, so the failure to start one is not reported.
final class AdditionalSessions: Sendable {
    private struct State {
        /// The size of all files that are expected to be written.
        var writtenBytes: UInt64 = 0
        var readBytes: UInt64 = 0
        /// Starts the sessions of the first connection.
        var start: Task<[SFTPSession], Never>?
        /// Each establishes a connection, and starts its sessions; nil until then.
        var connections: [Task<Connection?, Never>]?
        var isClosed = false
    }

    /// A further connection.
    private struct Connection {
        let host: any RemoteHost
        let sessions: [SFTPSession]
    }

    private let host: any RemoteHost
    private let plan: SSHPlan
    /// The maximum number of further connections.
    private let limit: Int
    private let connector: any Connector
    private let traits: SFTPServerTraits
    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    /// The number of sessions of a connection, each of which has 2 MiB in transit to an OpenSSH server
    /// (`CHAN_SES_WINDOW_DEFAULT` in channels.h).
    private static let (sessions, sessionsForManyBytes) = (4, 6)
    /// The amount to write from which further sessions of a connection save more time than they take to start.
    private static let minimumBytesForSessions: UInt64 = 16 << 20
    /// The amount to write from which still more sessions do; OpenSSH allows 10 (MaxSessions in sshd_config(5)).
    private static let manyBytes: UInt64 = 128 << 20
    /// The amount from which further connections save more time than they take to open.
    private static let minimumBytesForConnections: UInt64 = 256 << 20

    /// More than a connection with a thread and an event loop of its own opens.
    private static let descriptorsOfConnection = 8
    /// More than the copy of a file opens.
    private static let reservedDescriptors = 8

    /// `host` is the first connection, established by `connector` according to the plan, to a server with `traits`.
    init(
        on host: any RemoteHost,
        _ plan: SSHPlan,
        connections limit: Int,
        connector: any Connector,
        traits: SFTPServerTraits,
        clock: any Clock<Duration>
    ) {
        self.host = host
        self.plan = plan
        self.limit = limit
        self.connector = connector
        self.traits = traits
        self.clock = clock
    }

    /// Adds the size of a file to copy, and starts sessions, which are added to `files`, if there is now enough to copy.
    func expect(sizeBytes: UInt64, isWritten: Bool, for files: ParallelFileSystem) {
        state.withLock { state in
            guard !state.isClosed else { return }
            if isWritten {
                state.writtenBytes.add(sizeBytes)
            } else {
                state.readBytes.add(sizeBytes)
            }
            // The receive window of a single session is as large as those of all sessions for writing.
            if state.start == nil, state.writtenBytes >= Self.minimumBytesForSessions {
                let count = state.writtenBytes < Self.manyBytes ? Self.sessions : Self.sessionsForManyBytes
                state.start = Task.onCurrentExecutor {
                    let sessions = await self.start(count - 1, on: self.host)
                    files.add(sessions.map(\.files), areAdditional: false)
                    return sessions
                }
            }
            if state.connections == nil, max(state.writtenBytes, state.readBytes) >= Self.minimumBytesForConnections {
                state.connections = (0..<min(limit, Self.affordableConnections)).map { _ in
                    Task.onCurrentExecutor { await self.connect(for: files) }
                }
            }
        }
    }

    /// Waits until the sessions of the first connection have been started.
    func waitForSessions() async {
        _ = await state.withLock { $0.start }?.value
    }

    /// Ends the sessions, which must no longer be in use.
    func close() async {
        let (start, tasks) = state.withLock { state in
            state.isClosed = true
            return (state.start, state.connections ?? [])
        }
        start?.cancel()
        for task in tasks { task.cancel() }
        await Self.close(await start?.value ?? [])
        for task in tasks {
            guard let connection = await task.value else { continue }
            await Self.close(connection.sessions)
            await connection.host.close()
        }
    }

    private static func close(_ sessions: [SFTPSession]) async {
        _ = await sessions.concurrentCompactMap { await $0.close() }
    }

    /// The number of connections that leave descriptors for the files.
    private static var affordableConnections: Int {
        max(0, (FileDescriptor.remaining - reservedDescriptors) / descriptorsOfConnection)
    }

    private func connect(for files: ParallelFileSystem) async -> Connection? {
        let alone = ConnectionPlan.ssh(plan).mapSSH { $0.usesOwnThread = true }
        guard let host = try? await connector.connect(alone, observer: { _, _ in }) else { return nil }
        let sessions = await start(max(1, Self.sessionsForManyBytes / limit), on: host)
        files.add(sessions.map(\.files), areAdditional: true)
        return Connection(host: host, sessions: sessions)
    }

    /// Starts sessions at the same time, and returns those that reply.
    private func start(_ count: Int, on host: any RemoteHost) async -> [SFTPSession] {
        let sessions = (0..<count).map { _ in SFTPSession(on: host, plan, traits: traits, clock: clock) }
        return await sessions.concurrentCompactMap { session in
            if (try? await session.files.absolutePath(of: ".")) != nil { return session }
            await session.close()
            return nil
        }
    }
}

extension UInt64 {
    /// Adds a number that a server has sent, which can be anything.
    fileprivate mutating func add(_ other: UInt64) {
        let (sum, overflow) = addingReportingOverflow(other)
        self = overflow ? .max : sum
    }
}
