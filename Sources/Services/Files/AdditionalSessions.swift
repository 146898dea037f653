import Core
import Runtime
import SFTP
import Synchronization
import System

/// The SFTP sessions that are started when there is much to copy, in addition to the first one.
///
/// The copy does not depend on them, so the failure to start one is not reported.
final class AdditionalSessions: Sendable {
    /// Starts an SFTP session, passes the files to the given function, and ends the session when it returns.
    typealias Session =
        @Sendable (
            _ use: @Sendable (SFTPFileSystem) async throws(VTError) -> Void
        ) async throws(VTError) -> Void
    /// Connects, passes a function that starts sessions to the given function, and disconnects when it returns.
    typealias Connection =
        @Sendable (
            _ use: @Sendable (@escaping Session) async throws(VTError) -> Void
        ) async throws(VTError) -> Void

    private struct State {
        /// The size of all files that are expected to be written.
        var writtenBytes: UInt64 = 0
        var readBytes: UInt64 = 0
        /// Ends when the sessions of the first connection have been started.
        var start: Task<Void, Never>?
        var hasConnections = false
        var tasks: [Task<Void, Never>] = []
        var isClosed = false
    }

    /// The maximum number of further connections.
    private let limit: Int
    private let session: Session
    private let connection: Connection
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

    /// `session` starts a session of the first connection; `connection` opens a further one.
    init(limit: Int, session: @escaping Session, connection: @escaping Connection) {
        self.limit = limit
        self.session = session
        self.connection = connection
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
                let started = FirstResult<Void>()
                state.start = Task.onCurrentExecutor { await started.value(orIfCanceled: ()) }
                let task = Task.onCurrentExecutor {
                    await Self.hold(count - 1, self.session) {
                        files.add($0, areAdditional: false)
                        started.provide(())
                    }
                }
                state.tasks.append(task)
            }
            if !state.hasConnections, max(state.writtenBytes, state.readBytes) >= Self.minimumBytesForConnections {
                state.hasConnections = true
                state.tasks += (0..<min(limit, Self.affordableConnections)).map { _ in
                    Task.onCurrentExecutor { await self.connect(for: files) }
                }
            }
        }
    }

    /// Waits until the sessions of the first connection have been started.
    func waitForSessions() async {
        await state.withLock { $0.start }?.value
    }

    /// Ends the sessions, which must no longer be in use.
    func close() async {
        let tasks = state.withLock { state in
            state.isClosed = true
            return state.tasks
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// The number of connections that leave descriptors for the files.
    private static var affordableConnections: Int {
        max(0, (FileDescriptor.remaining - reservedDescriptors) / descriptorsOfConnection)
    }

    private func connect(for files: ParallelFileSystem) async {
        let count = max(1, Self.sessionsForManyBytes / limit)
        try? await connection { session throws(VTError) in
            await Self.hold(count, session) { files.add($0, areAdditional: true) }
        }
    }

    /// Starts sessions, which last until the task is canceled.
    ///
    /// They are passed to `onStart` together, because an open file is then opened in all of them at the same time.
    private static func hold(
        _ count: Int,
        _ session: @escaping Session,
        onStart: @escaping @Sendable ([SFTPFileSystem]) -> Void
    ) async {
        let group = SessionGroup(count, onComplete: onStart)
        await withTaskGroup { tasks in
            for _ in 0..<count {
                tasks.addTask {
                    do throws(VTError) {
                        try await session { started throws(VTError) in
                            _ = try await started.absolutePath(of: ".")
                            group.add(started)
                            await FirstResult<Void>().value(orIfCanceled: ())
                        }
                    } catch {
                        group.add(nil)
                    }
                }
            }
        }
    }
}

/// Collects sessions until all have been started, or have failed to start.
private final class SessionGroup: Sendable {
    private let state: Mutex<(missing: Int, started: [SFTPFileSystem])>
    private let onComplete: @Sendable ([SFTPFileSystem]) -> Void

    init(_ count: Int, onComplete: @escaping @Sendable ([SFTPFileSystem]) -> Void) {
        state = Mutex((count, []))
        self.onComplete = onComplete
    }

    /// Adds a session, or nil for a failure; does nothing once the group is complete.
    func add(_ session: SFTPFileSystem?) {
        let complete: [SFTPFileSystem]? = state.withLock { state in
            state.missing -= 1
            if let session { state.started.append(session) }
            return state.missing == 0 ? state.started : nil
        }
        if let complete { onComplete(complete) }
    }
}

extension UInt64 {
    /// Adds a number that a server has sent, which can be anything.
    fileprivate mutating func add(_ other: UInt64) {
        let (sum, overflow) = addingReportingOverflow(other)
        self = overflow ? .max : sum
    }
}
