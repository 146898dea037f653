import Core
import NIOCore
import Runtime
import Synchronization

/// The connection of a mux server, and a channel that is opened in advance.
///
/// The spare channel saves a round trip when the next program starts. While it waits, the connection reacts to the
/// server's messages, which libssh2 processes only during calls.
///
/// A server that ends the connection when a second channel is opened must not take a program with it. Therefore, no
/// channel is opened in advance before the first program has ended, and none beside another one that is in use unless
/// the server is known to allow it, or has done so while no program was running.
actor MuxConnection {
    private let connection: SSHConnection
    private let executor: LoopExecutor
    /// Called once the connection is lost.
    private let onLoss: @Sendable () -> Void
    private var concurrency: ChannelConcurrency
    private var spare: (id: ChannelID, waiting: Task<Void, Never>)?
    private var isOpeningSpare = false
    /// Serializes the decisions whether a channel may be opened.
    private let turn = AsyncLock()
    /// The number of commands that wait for a channel.
    private var waitingCount = 0
    /// Whether a program has ended.
    private var hasRun = false
    /// Whether the server has refused a channel since one was last closed.
    private var isFull = false
    private var isClosed = false
    /// The programs that await the next command.
    private var kept: [KeptProgram] = []
    /// How long the server took to open the last channel; nil before the first one.
    private var openingTime: TimeAmount?

    /// The maximum number of programs that await a command, because each one occupies a channel.
    private static let keptLimit = 4
    /// How long the server may be silent when it has to answer; commands use a fresh connection if it does not.
    private static let answerTimeout = TimeAmount.seconds(3)
    /// The silence after which the server is checked before a program is started, as a multiple of the time that the
    /// check takes, within limits: back-to-back commands are not delayed, and a server that has stopped is noticed.
    private static let checkedRatio = 20
    private static let checkedSilence = (minimum: TimeAmount.milliseconds(100), maximum: TimeAmount.seconds(3))

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    init(
        _ connection: SSHConnection,
        _ concurrency: ChannelConcurrency,
        executor: LoopExecutor,
        onLoss: @escaping @Sendable () -> Void
    ) {
        self.connection = connection
        self.concurrency = concurrency
        self.executor = executor
        self.onLoss = onLoss
    }

    func close() async {
        isClosed = true
        spare?.waiting.cancel()
        spare = nil
        kept = []
        await connection.close()
    }

    // MARK: - Channels

    /// The result of opening a channel.
    enum Opening {
        case opened(ChannelID)
        case full
        case lost
    }

    /// Returns a channel for a program.
    ///
    /// Once a program has been requested, it cannot be started anywhere else, so the server must have answered shortly
    /// before; otherwise, it has to answer now, if possible by opening another channel.
    func open() async -> Opening {
        waitingCount += 1
        defer { waitingCount -= 1 }
        guard await connection.opensIfUsable != nil else { return .lost }
        let (minimum, maximum) = Self.checkedSilence
        let silence = openingTime.map { min(max(minimum, $0 * Self.checkedRatio), maximum) } ?? .zero
        var isHeard = await connection.silence < silence
        if isHeard, let id = await takeSpare() { return .opened(id) }
        return await turn.withLock {
            if !isHeard, isFull || concurrency != .allowed {
                isHeard = await connection.answers(afterSilence: maximum, within: Self.answerTimeout)
                guard isHeard else { return .lost }
            }
            if isHeard, let id = await takeSpare() { return .opened(id) }
            return await openNext()
        }
    }

    /// Opens a channel if no program is put at risk.
    private func openNext() async -> Opening {
        // A channel can have been closed later than its program has ended.
        if isFull, await !isInUse { isFull = false }
        if concurrency != .allowed {
            guard await !isInUse else { return .full }
            if waitingCount > 1 {
                await openSpare()
                if let id = await takeSpare() { return .opened(id) }
            }
        }
        let opening = await openSession()
        guard case .full = opening else { return opening }
        // The server has just answered.
        if let id = await takeSpare() { return .opened(id) }
        guard let program = kept.popLast() else { return .full }
        await program.stop()
        isFull = false
        return await openSession()
    }

    /// Whether there are channels that are neither unused nor those of kept programs.
    private var isInUse: Bool {
        get async {
            kept.removeAll(where: \.hasEnded)
            return await connection.channelCount > kept.count + (spare == nil ? 0 : 1)
        }
    }

    /// Takes back a channel from `open` that was not needed.
    func putBack(_ id: ChannelID) async {
        guard spare == nil, !isOpeningSpare, !isClosed else { return await release(id) }
        setSpare(id)
    }

    private func openSession() async -> Opening {
        guard !isFull else { return .full }
        let start = NIODeadline.now()
        defer { openingTime = .now() - start }
        do throws(SSHFailure) {
            // On a new connection, waiting is the only option.
            let limit = openingTime.map { _ in Self.answerTimeout }
            return .opened(try await connection.openSession(silence: limit))
        } catch {
            guard error.isChannelRefusal else { return .lost }
            isFull = true
            return .full
        }
    }

    /// Runs a program on a channel from `open`.
    ///
    /// After a subsystem that has sent nothing, the connection is not offered to further commands: its server may not
    /// start theirs either.
    func run(
        _ request: ExecRequest,
        streams: ProgramStreams,
        on id: ChannelID,
        observer: @escaping ConnectionObserver
    ) async throws(VTError) -> ExitStatus {
        prepareSpare()
        defer {
            isFull = false
            hasRun = true
            prepareSpare()
        }
        try await start(request, on: id, observer: observer).get()
        guard case .subsystem = request.command else { return try await connection.finish(streams, on: id) }
        let output = streams.output
        let hasAnswered = Mutex(false)
        defer { if !hasAnswered.withLock({ $0 }) { onLoss() } }
        var streams = streams
        streams.output = CallbackSink { bytes async throws(VTError) in
            hasAnswered.withLock { $0 = true }
            try await output.write(bytes)
        }
        return try await connection.finish(streams, on: id)
    }

    /// Starts a program even if the task is canceled, because an outstanding reply would affect other programs.
    private func start(
        _ request: ExecRequest,
        on id: ChannelID,
        observer: @escaping ConnectionObserver
    ) async -> Result<Void, VTError> {
        let starting = Task<Result<Void, VTError>, Never>(executorPreference: executor) { [connection] in
            let timer = await connection.limitAnswer()
            defer { timer.cancel() }
            return await Result { () async throws(VTError) in
                try await connection.start(request, on: id, observer: observer)
            }
        }
        return await starting.value
    }

    /// Closes a channel from `open` on which nothing was run.
    func release(_ id: ChannelID) async {
        await connection.forget(id)
        isFull = false
        prepareSpare()
    }

    /// Opens a spare channel if there is none.
    func prepareSpare() {
        guard hasRun, spare == nil, !isOpeningSpare, !isFull, !isClosed else { return }
        isOpeningSpare = true
        Task(executorPreference: executor) { await self.openSpareUnlessInUse() }
    }

    private func openSpareUnlessInUse() async {
        await turn.withLock {
            if concurrency != .allowed, await isInUse { return }
            if spare == nil { await openSpare() }
        }
        isOpeningSpare = false
    }

    /// Opens a spare channel and, unless a single command waits for it, finds out whether the server allows a second one.
    ///
    /// No program is running, and until the server has answered, none may be started on the spare channel.
    private func openSpare() async {
        guard case .opened(let id) = await openSession() else { return }
        if concurrency == .unproven, waitingCount != 1 {
            switch await openSession() {
            case .opened(let second):
                concurrency = .allowed
                await connection.forget(second)
            case .full: concurrency = .allowed
            case .lost: return
            }
        }
        guard !isClosed else { return await connection.forget(id) }
        setSpare(id)
    }

    /// Returns the spare channel unless the server has closed it.
    private func takeSpare() async -> ChannelID? {
        guard let spare else { return nil }
        self.spare = nil
        spare.waiting.cancel()
        await spare.waiting.value
        if await connection.isOpen(spare.id) { return spare.id }
        await connection.forget(spare.id)
        return nil
    }

    private func setSpare(_ id: ChannelID) {
        spare = (id, Task(executorPreference: executor) { await self.wait(on: id) })
    }

    private func wait(on id: ChannelID) async {
        do throws(SSHFailure) {
            try await connection.wait(on: id)
            // The server closes unused channels; the next program opens one.
            if spare?.id == id { spare = nil }
            await connection.forget(id)
        } catch {
            if case .stopped(let reason) = error, reason.isCancellation { return }
            onLoss()
        }
    }

    // MARK: - Kept programs

    /// Removes and returns a program that awaits this request; nil if there is none, or if it has ended meanwhile.
    func takeKept(_ request: ExecRequest) -> KeptProgram? {
        kept.removeAll(where: \.hasEnded)
        return kept.firstIndex { $0.request == request }.map { kept.remove(at: $0) }
    }

    /// Keeps a program for the next command.
    func keep(_ program: KeptProgram) async {
        guard kept.count < Self.keptLimit, !isClosed else { return await program.stop() }
        kept.append(program)
        hasRun = true
        prepareSpare()
    }
}
