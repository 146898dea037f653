import Core
import Glibc
import NIOCore
import NIOPosix
import Runtime
import Synchronization
import System

/// The process that keeps a connection open for several commands: vt started with a hidden verb.
///
/// The first command passes a listening socket as descriptor 0. A command that needs the connection while there is none
/// provides the secrets for it; the mux server stores no secrets. The process ends when the connection is lost or has
/// not been used for some time, and, once no command uses it, after a change to the files that the connection depends
/// on.
package actor MuxServer {
    /// The hidden first argument; the path of the socket follows.
    package static let verb: ByteString = "keep"

    private let executor: LoopExecutor
    private let path: String
    private let identity: FileIdentity?
    private let diagnostics: MuxDiagnostics
    private let trustStore: any TrustStore
    private let library: @Sendable () throws(VTError) -> SSHLibrary

    /// Nil until `run`.
    private var eventLoop: (any EventLoop)?
    private var listener: (any Channel)?
    /// The key of the connection; nil until the first command.
    private var key: [UInt8]?
    /// The digest of the secrets of the first command.
    private var secretsDigest: [UInt8]?
    private var connection: MuxConnection?
    /// Owns the connections to the jump hosts of `connection`.
    private var connector: SSHConnector?
    private var trust: MuxTrust?
    /// Whether a command is establishing the connection, so that others wait for it.
    private let isConnecting = Monitor(false)
    /// The number of commands that wait for another command's connection attempt to end.
    private var waitingCount = 0
    /// Why the connection could not be established.
    private var failure: VTError?
    /// Whether no further commands are accepted.
    private var isRetired = false
    /// Whether the connection is only for the command whose user was asked.
    private var isForOneCommand = false
    /// The number of commands that use the connection.
    private var uses = 0
    private var idleTimeout = ConnectionSharing.standardTimeout
    private var idleTimer: Scheduled<Void>?
    private var lastUse = NIODeadline.now()
    private var openedAt = Timestamp.now()
    private let end = FirstResult<Void>()

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Creates the mux server whose socket is at `path`.
    ///
    /// After a change to the known_hosts files, the host key is checked again. The trust store reports notes to
    /// `diagnostics`.
    package init(
        executor: LoopExecutor,
        path: String,
        trustStore: any TrustStore,
        diagnostics: MuxDiagnostics,
        library: @escaping @Sendable () throws(VTError) -> SSHLibrary
    ) {
        self.executor = executor
        self.path = path
        self.trustStore = trustStore
        self.diagnostics = diagnostics
        self.library = library
        identity = FileIdentity(at: path)
    }

    /// Accepts commands on descriptor 0 until the connection is closed; returns the exit status of the process.
    package func run() async -> UInt8 {
        signal(SIGPIPE, SIG_IGN)
        LinuxProcess.limitAllocator()
        LinuxProcess.keepStreamBuffers()
        let executor = executor
        let eventLoop: any EventLoop
        do throws(VTError) {
            eventLoop = try await executor.eventLoop()
        } catch {
            return error.code.status
        }
        self.eventLoop = eventLoop
        let bootstrap = ServerBootstrap(group: eventLoop)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 128 * 1024, high: 512 * 1024))
            .childChannelInitializer { channel in
                PeerCredentials.check(channel).flatMapThrowing {
                    let frames = try FrameChannel(channel, executor: executor)
                    Task(executorPreference: executor) { await self.serve(frames) }
                }
            }
        do {
            listener = try await bootstrap.withBoundSocket(0).get()
        } catch {
            // A failure to write cannot be reported.
            try? StandardStream.errorOutput.write(Array("vt: 'keep' is for internal use only\n".utf8))
            return VTError.Code.usage.status
        }
        startIdleTimer()
        await end.value(orIfCanceled: ())
        await connection?.close()
        await connector?.close()
        return 0
    }

    // MARK: - Commands

    private func serve(_ frames: FrameChannel) async {
        let mailbox = MuxMailbox(frames)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await mailbox.fill() }
            group.addTask { await self.answer(mailbox) }
            // Ends when either the command ends, or the mux server is done with a command that cannot use it.
            await group.next()
            group.cancelAll()
        }
        await frames.close()
    }

    private func answer(_ mailbox: MuxMailbox) async {
        while let request = await mailbox.next() {
            switch request {
            case .hello(let hello):
                beginUse(hello)
                await answer(mailbox, after: hello)
                endUse()
                return
            case .status:
                if trust?.isCurrent() == false { retire() }
                await mailbox.channel.send(.report(report))
            case .close:
                retire()
                await mailbox.channel.send(.report(report))
            default: return
            }
        }
    }

    /// Serves a command that uses the connection.
    private func answer(_ mailbox: MuxMailbox, after hello: MuxHello) async {
        guard let connection = await connection(for: hello, mailbox) else { return }
        await mailbox.channel.send(.ready(processID: getpid()))
        var opened: ChannelID?
        while let request = await mailbox.next() {
            switch request {
            case .open where opened == nil:
                switch await connection.open() {
                case .opened(let id):
                    opened = id
                    await mailbox.channel.send(.opened)
                case .full: await mailbox.channel.send(.full)
                case .lost:
                    retire()
                    await mailbox.channel.send(.stale)
                }
            case .run(let request):
                guard let id = opened else { return }
                opened = nil
                await mailbox.channel.send(await run(request, on: id, of: connection, mailbox))
            default: return
            }
        }
        if let opened { await connection.release(opened) }
    }

    private func run(
        _ request: ExecRequest,
        on id: ChannelID,
        of connection: MuxConnection,
        _ mailbox: MuxMailbox
    ) async -> MuxFrame {
        guard !request.isKept else {
            return await KeptProgram.run(request, on: id, of: connection, mailbox, executor: executor)
        }
        do throws(VTError) {
            let observer = mailbox.channel.observer
            return .exited(try await connection.run(request, streams: mailbox.streams, on: id, observer: observer))
        } catch {
            return .failed(error)
        }
    }

    // MARK: - Connection

    /// Returns the connection, establishing it if necessary; on failure, reports to the command why it cannot use the
    /// connection.
    private func connection(for hello: MuxHello, _ mailbox: MuxMailbox) async -> MuxConnection? {
        (key, secretsDigest) = (key ?? hello.key, secretsDigest ?? hello.secretsDigest)
        guard key == hello.key, secretsDigest == hello.secretsDigest else {
            await mailbox.channel.send(.stale)
            return nil
        }
        let deadline = NIODeadline.now() + TimeAmount(hello.connectTimeout)
        // What is left of the timeout after waiting for other commands.
        var timeout = hello.connectTimeout
        var ownFailure: VTError?
        while ownFailure == nil, !isRetired, !Task.isCancelled {
            if let connection {
                if trust?.isCurrent() == true { return connection }
                retire()
            } else if !isConnecting.withLock({ $0 }) {
                ownFailure = await connect(hello, timeout: timeout, mailbox)
                if isForOneCommand, let connection { return connection }
            } else if timeout > .zero {
                await mailbox.channel.send(.connecting)
                await waitForAttempt(for: timeout)
                timeout = .nanoseconds((deadline - .now()).nanoseconds)
            } else {
                let name = plan(hello, timeout: timeout, mailbox)?.name ?? ""
                ownFailure = SSHConnector.lateness(of: name, after: hello.connectTimeout)
            }
        }
        await mailbox.channel.send((ownFailure ?? failure).map { .failed($0) } ?? .stale)
        return nil
    }

    /// Waits until the connection attempt of another command has ended, but not longer than this command may.
    private func waitForAttempt(for timeout: Duration) async {
        waitingCount += 1
        defer { waitingCount -= 1 }
        let isConnecting = isConnecting
        // The caller checks whether the attempt has ended.
        try? await withTimeout(timeout, on: LoopClock(executor), throwing: .cancelled) { () throws(VTError) in
            try await isConnecting.wait { $0 ? nil : () }
        }
    }

    /// Establishes the connection with the secrets and the timeout of a command; if that command ends, the next one
    /// tries again.
    ///
    /// Returns the error if other commands, which can have more time, are to try again.
    private func connect(
        _ hello: MuxHello,
        timeout: Duration,
        _ mailbox: MuxMailbox
    ) async -> VTError? {
        isConnecting.update { $0 = true }
        let deadline = NIODeadline.now() + TimeAmount(timeout)
        var ownFailure: VTError?
        let channel = mailbox.channel
        diagnostics.forward { note in channel.assumeIsolated { $0.post(.note(note)) } }
        do throws(VTError) {
            guard let plan = plan(hello, timeout: timeout, mailbox) else {
                throw VTError(.protocolViolation, "a process sent a malformed connection plan to a shared connection")
            }
            try await connect(plan, environment: hello.environment, observer: channel.observer)
        } catch {
            await connector?.close()
            let isTemporary = error.isTransient || .now() >= deadline
            if error.isCancellation {
                // The next command tries again.
            } else if isTemporary, waitingCount > 0 {
                ownFailure = error
            } else {
                failure = error
                retire()
            }
        }
        diagnostics.forward(to: nil)
        isConnecting.update { $0 = false }
        return ownFailure
    }

    /// Keeps the connection for the command whose user is being asked: others may not use it without the credentials
    /// that the user types, and do not wait for the user, but try another mux server.
    private func retireForOneCommand() {
        isForOneCommand = true
        retire()
        isConnecting.update { $0 = false }
    }

    private func connect(
        _ plan: SSHPlan,
        environment: [ByteString],
        observer: @escaping ConnectionObserver
    ) async throws(VTError) {
        if PlanCoding.runsProgram(plan) { try forwardErrors(of: plan.name) }
        let keys = MuxTrust.keyFiles(of: plan)
        let connector = try SSHConnector(
            library: try library(),
            executor: executor,
            trustStore: trustStore,
            environment: environment
        )
        self.connector = connector
        let hostKey = Mutex<HostKey?>(nil)
        let connection = try await connector.connection(plan) { name, step in
            if case .trusted(let key, _) = step, name == plan.name { hostKey.withLock { $0 = key } }
            observer(name, step)
        }
        trust = MuxTrust(plan, hostKey: hostKey.withLock { $0 }, keys: keys, store: trustStore)
        openedAt = .now()
        let concurrency = ChannelConcurrency(await connection.serverIdentification)
        self.connection = MuxConnection(connection, concurrency, executor: executor) { [weak self] in
            self?.assumeIsolated { $0.retire() }
        }
    }

    /// Returns the plan of a command, which provides the secrets; nil if it is malformed.
    private func plan(_ hello: MuxHello, timeout: Duration, _ mailbox: MuxMailbox) -> SSHPlan? {
        var prompter: Prompter?
        if hello.promptLimit > 0 {
            prompter = Prompter(limit: Int(hello.promptLimit)) { prompt async throws(VTError) in
                await self.retireForOneCommand()
                return try await mailbox.secret(.asks(prompt))
            }
        }
        return PlanCoding.decode(hello.key, connectTimeout: timeout, prompter: prompter) {
            (purpose, depth) async throws(VTError) in
            try await mailbox.secret(purpose, depth: depth)
        }
    }

    /// Reports the error output of proxy commands, which inherit descriptor 2, while a command awaits the connection.
    private func forwardErrors(of name: String) throws(VTError) {
        let (output, input) = try DescriptorPair.pipe().release()
        dup2(input, 2)
        close(input)
        let errors = ThreadedInput(output, closesDescriptor: true)
        let diagnostics = diagnostics
        Task(executorPreference: executor) {
            // The process keeps the other end open; an error means that it is ending.
            while let bytes = try? await errors.read() {
                for line in ByteString(bytes).repairedText.split(whereSeparator: \.isNewline) {
                    diagnostics.note("the proxy command of '\(name)': \(line)")
                }
            }
        }
    }

    // MARK: - Lifetime

    private func beginUse(_ hello: MuxHello) {
        uses += 1
        idleTimeout = hello.idleTimeout
        idleTimer?.cancel()
    }

    private func endUse() {
        uses -= 1
        lastUse = .now()
        if isRetired { endIfUnused() } else if uses == 0 { startIdleTimer() }
    }

    private func startIdleTimer() {
        idleTimer = eventLoop?.scheduleTask(in: TimeAmount(idleTimeout)) { [weak self] in
            self?.assumeIsolated { $0.retire() }
        }
    }

    /// Accepts no further commands, and ends the process once no command uses the connection.
    private func retire() {
        guard !isRetired else { return }
        isRetired = true
        idleTimer?.cancel()
        identity?.remove(at: path)
        listener?.close(promise: nil)
        endIfUnused()
    }

    private func endIfUnused() {
        if uses == 0 { end.provide(()) }
    }

    private var report: SharedConnection {
        SharedConnection(
            name: trust?.plan.name ?? "",
            endpoint: trust?.plan.endpoint ?? Endpoint(host: ""),
            user: trust?.plan.user ?? "",
            processID: getpid(),
            uses: UInt32(clamping: uses),
            isClosing: isRetired,
            openedAt: openedAt,
            idleTimeout: idleTimeout,
            idle: uses > 0 ? .zero : .nanoseconds((NIODeadline.now() - lastUse).nanoseconds)
        )
    }
}
