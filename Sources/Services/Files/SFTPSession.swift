import Core
import Runtime

/// An SFTP session with a server.
final class SFTPSession: Sendable {
    let files: SFTPFileSystem
    private let client: SFTPClient
    private let shell: DigestShell
    private let program: ConversationProgram
    private let watchdog: Task<Void, Never>
    private let clock: any Clock<Duration>

    /// The timeout for what remains to be done after cancellation, such as removing temporary files.
    private static let endTimeout = Duration.seconds(6)
    /// The time without progress after which an SFTP server is considered hung.
    private static let (idleInterval, idleIntervals) = (Duration.seconds(10), 12)

    /// Starts the session; if that fails, all uses of the files fail.
    ///
    /// `traits` are those of the server's earlier sessions.
    init(
        on host: any RemoteHost,
        _ plan: SSHPlan,
        traits: SFTPServerTraits = SFTPServerTraits(),
        clock: any Clock<Duration>
    ) {
        let client = SFTPClient(name: plan.name, traits: traits)
        let shell = DigestShell(host: host, files: SFTPFileSystem(client), name: plan.name, clock: clock)
        files = SFTPFileSystem(client) { path throws(VTError) in try await shell.sha256(of: path) }
        watchdog = Task.onCurrentExecutor { await Self.watch(client, for: plan.limits.connectTimeout, on: clock) }
        program = ConversationProgram(ExecRequest(.subsystem("sftp")), for: client, on: host)
        self.client = client
        self.shell = shell
        self.clock = clock
    }

    /// Ends the session.
    func close() async {
        await shell.close()
        await program.stop()
        watchdog.cancel()
    }

    /// Calls `body`, and ends the conversation a while after the task has been canceled.
    ///
    /// A server that has stopped replying therefore does not delay the end.
    func limitingEnd<Result: Sendable>(
        _ body: () async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        let canceled = FirstResult<Bool>()
        let limit = Task.onCurrentExecutor { [client, clock] in
            guard await canceled.value(orIfCanceled: false), (try? await clock.sleep(for: Self.endTimeout)) != nil
            else { return }
            client.end(.cancelled)
        }
        defer { limit.cancel() }
        let outcome = await withTaskCancellationHandler {
            await Swift.Result { () async throws(VTError) in try await body() }
        } onCancel: {
            canceled.provide(true)
        }
        return try outcome.get()
    }

    /// Ends a conversation if the server does not start it within `timeout`, or later stops replying.
    private static func watch(
        _ client: SFTPClient,
        for timeout: Duration,
        on clock: any Clock<Duration>
    ) async {
        // The sleep fails if the task is canceled.
        guard (try? await clock.sleep(for: timeout)) != nil else { return }
        guard client.hasStarted else {
            let what = "the SFTP server of '\(client.name)' did not answer within \(timeout.shortText)"
            return client.end(VTError(.hostUnreachable, what))
        }
        // Counted in intervals, so that the time in which vt itself is stopped, as by Ctrl-Z, counts as one of them.
        var (seen, idle) = (client.progress, 0)
        while idle < idleIntervals {
            guard (try? await clock.sleep(for: idleInterval)) != nil else { return }
            let now = client.progress
            idle = now != nil && now == seen ? idle + 1 : 0
            seen = now
        }
        let limit = idleInterval * idleIntervals
        let what = "the SFTP server of '\(client.name)' has not answered for \(limit.shortText)"
        client.end(VTError(.hostUnreachable, what))
    }
}

extension SFTPClient: Conversation {}
