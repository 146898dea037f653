import Core
import Runtime
import SFTP

/// Provides access to the files on this machine and on servers.
package struct FileService: Sendable {
    /// A machine with files.
    package enum Place: Sendable {
        case local
        case remote(ConnectionPlan)

        /// Whether both are this machine, or the same saved server.
        func isSameMachine(as other: Place) -> Bool {
            switch (self, other) {
            case (.local, .local): true
            case (.remote(let plan), .remote(let otherPlan)): plan.name == otherPlan.name
            case (.local, .remote), (.remote, .local): false
            }
        }
    }

    private let connector: any Connector
    private let local = LocalFileSystem()
    private let clock: any Clock<Duration>
    private let observer: any ConnectionObserver

    /// The maximum number of bytes kept of a server's standard error.
    private static let messageLimitBytes = 4096
    /// The timeout for what remains to be done after cancellation, such as removing temporary files.
    private static let endTimeout = Duration.seconds(6)
    /// The time without progress after which an SFTP server is considered hung.
    private static let (idleInterval, idleIntervals) = (Duration.seconds(10), 12)

    package init(
        connector: any Connector,
        clock: any Clock<Duration>,
        observer: any ConnectionObserver
    ) {
        self.connector = connector
        self.clock = clock
        self.observer = observer
    }

    /// Passes the files of a machine to `body`, which must not use them afterward.
    ///
    /// With `connections`, large files are transferred through several SFTP sessions, and very large ones over that number
    /// of further connections, which can be 0. If the task is canceled, a connection remains usable until `body` returns,
    /// so that it can remove temporary files.
    ///
    /// - Throws: Errors of `Connector.connect` and of `body`. If the server ends SFTP, the calls in progress throw
    ///   `host.unreachable` or `protocol`.
    package func withFiles<Result: Sendable>(
        of place: Place,
        connections: Int? = nil,
        _ body: (any FileSystem) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        guard case .remote(let plan) = place else { return try await body(local) }
        let host = try await connector.connect(plan, observer: observer)
        do throws(VTError) {
            let result =
                switch plan {
                case .program(let plan):
                    try await withShell(of: host, plan, body)
                case .ssh(let plan):
                    try await withSFTP(of: host, plan) { files throws(VTError) in
                        guard let connections else { return try await body(files) }
                        return try await withSessions(of: host, connections, besides: files, plan, body)
                    }
                }
            await host.close()
            return result
        } catch {
            await host.close()
            throw error
        }
    }

    /// Closes the resources shared by the connections.
    package func close() async {
        await connector.close()
    }

    // MARK: -

    private func withShell<Result: Sendable>(
        of host: any RemoteHost,
        _ plan: ProgramPlan,
        _ body: (any FileSystem) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        let shell = ShellConversation(name: plan.name)
        let files = ShellFileSystem(host: host, shell: shell)
        return try await Self.hold(shell, with: ExecRequest(.arguments(["sh"])), on: host) { () throws(VTError) in
            try await body(files)
        }
    }

    /// Passes files to `body` that are accessed through further sessions if there is much to copy.
    private func withSessions<Result: Sendable>(
        of host: any RemoteHost,
        _ connections: Int,
        besides files: SFTPFileSystem,
        _ plan: SSHPlan,
        _ body: (any FileSystem) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        let alone = ConnectionPlan.ssh(plan).mapSSH { $0.usesOwnThread = true }
        let additional = AdditionalSessions(limit: connections) { use throws(VTError) in
            try await withSFTP(of: host, plan, use)
        } connection: { use throws(VTError) in
            let host = try await connector.connect(alone, observer: SilentConnectionObserver())
            do throws(VTError) {
                try await use { use throws(VTError) in try await withSFTP(of: host, plan, use) }
            } catch {
                await host.close()
                throw error
            }
            await host.close()
        }
        let all = ParallelFileSystem(files) { all, size, isWritten in
            additional.expect(sizeBytes: size, isWritten: isWritten, for: all)
        } started: {
            await additional.waitForSessions()
        }
        do throws(VTError) {
            let result = try await body(all)
            await additional.close()
            return result
        } catch {
            await additional.close()
            throw error
        }
    }

    private func withSFTP<Result: Sendable>(
        of host: any RemoteHost,
        _ plan: SSHPlan,
        _ body: (SFTPFileSystem) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        let client = SFTPClient(name: plan.name)
        let shell = DigestShell(host: host, files: SFTPFileSystem(client), name: plan.name, clock: clock)
        let files = SFTPFileSystem(client) { path throws(VTError) in try await shell.sha256(of: path) }
        let watchdog = Task.onCurrentExecutor { await watch(client, for: plan.limits.connectTimeout) }
        defer { watchdog.cancel() }
        return try await Self.hold(client, with: ExecRequest(.subsystem("sftp")), on: host) { () throws(VTError) in
            do throws(VTError) {
                let result = try await bounded(client) { () throws(VTError) in try await body(files) }
                await shell.close()
                return result
            } catch {
                await shell.close()
                throw error
            }
        }
    }

    /// Calls `body`, and ends the conversation a while after the task has been canceled.
    ///
    /// A server that has stopped replying therefore does not delay the end.
    private func bounded<Result: Sendable>(
        _ client: SFTPClient,
        _ body: () async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        let canceled = FirstResult<Bool>()
        let limit = Task.onCurrentExecutor {
            guard await canceled.value(orIfCanceled: false), (try? await clock.sleep(for: Self.endTimeout)) != nil
            else { return }
            client.end(.cancelled)
        }
        defer { limit.cancel() }
        let outcome = await withTaskCancellationHandler { () async -> Swift.Result<Result, VTError> in
            do throws(VTError) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        } onCancel: {
            canceled.provide(true)
        }
        return try outcome.get()
    }

    /// Ends a conversation if the server does not start it within `timeout`, or later stops replying.
    private func watch(_ client: SFTPClient, for timeout: Duration) async {
        // The sleep fails if the task is canceled.
        guard (try? await clock.sleep(for: timeout)) != nil else { return }
        guard client.hasStarted else {
            let what = "the SFTP server of '\(client.name)' did not answer within \(timeout.shortText)"
            return client.end(VTError(.hostUnreachable, what))
        }
        // Counted in intervals, so that the time in which vt itself is stopped, as by Ctrl-Z, counts as one of them.
        var (seen, idle) = (client.progress, 0)
        while idle < Self.idleIntervals {
            guard (try? await clock.sleep(for: Self.idleInterval)) != nil else { return }
            let now = client.progress
            idle = now != nil && now == seen ? idle + 1 : 0
            seen = now
        }
        let limit = Self.idleInterval * Self.idleIntervals
        let what = "the SFTP server of '\(client.name)' has not answered for \(limit.shortText)"
        client.end(VTError(.hostUnreachable, what))
    }

    /// Runs a program and `body`, which communicates with the program.
    private static func hold<Result: Sendable>(
        _ conversation: any Conversation,
        with request: ExecRequest,
        on host: any RemoteHost,
        _ body: () async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        // Not a child task, which would be canceled with this one.
        let program = Task.onCurrentExecutor { await run(request, for: conversation, on: host) }
        do throws(VTError) {
            let result = try await body()
            await end(program, of: conversation)
            return result
        } catch {
            await end(program, of: conversation)
            throw error
        }
    }

    /// Runs the program until it exits, or the task is canceled.
    private static func run(
        _ request: ExecRequest,
        for conversation: any Conversation,
        on host: any RemoteHost
    ) async {
        let messages = BoundedSink(limitBytes: messageLimitBytes)
        let streams = ProgramStreams(input: conversation, output: conversation, errorOutput: messages)
        do throws(VTError) {
            let status = try await host.run(request, streams: streams)
            let lines = messages.text.split(whereSeparator: \.isNewline).map(String.init)
            let program = request.command == .subsystem("sftp") ? "SFTP server" : "shell"
            let what = "the \(program) of '\(conversation.name)' ended: \(status.phrase)"
            conversation.end(VTError(.protocolViolation, what, causes: lines))
        } catch {
            conversation.end(error)
        }
    }

    private static func end(_ program: Task<Void, Never>, of conversation: any Conversation) async {
        conversation.end(.cancelled)
        program.cancel()
        await program.value
    }
}

extension SFTPClient: Conversation {}
