import Core
import NIOCore
import Runtime

/// The connection of a mux server, and a channel that is opened in advance.
///
/// The spare channel saves a round trip when the next program starts. While it waits, the connection reacts to the
/// server's messages, which libssh2 processes only during calls.
actor MuxConnection {
    private let host: RemoteSSHHost
    private let executor: LoopExecutor
    /// Called once the connection is lost.
    private let onLoss: @Sendable () -> Void
    private var spare: (id: ChannelID, waiting: Task<Void, Never>)?
    private var isOpeningSpare = false
    /// Whether the server has refused a channel since one was last closed.
    private var isFull = false
    private var isClosed = false
    /// The programs that await the next command.
    private var kept: [KeptProgram] = []

    /// The maximum number of programs that await a command, because each one occupies a channel.
    private static let keptLimit = 4
    /// How long the server may take to answer after a silence; commands use a fresh connection if it does not.
    private static let answerTimeout = TimeAmount.seconds(3)
    /// The silence after which the connection is checked before it is used.
    private static let checkedSilence = TimeAmount.seconds(3)

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    init(_ host: RemoteSSHHost, executor: LoopExecutor, onLoss: @escaping @Sendable () -> Void) {
        self.host = host
        self.executor = executor
        self.onLoss = onLoss
    }

    func close() async {
        isClosed = true
        spare?.waiting.cancel()
        spare = nil
        kept = []
        await host.close()
    }

    // MARK: - Channels

    /// The result of opening a channel.
    enum Opening {
        case opened(ChannelID)
        case full
        case lost
    }

    /// Returns a channel for a program.
    func open() async -> Opening {
        guard await isAlive() else { return .lost }
        if let spare {
            self.spare = nil
            spare.waiting.cancel()
            await spare.waiting.value
            if await host.connection.isOpen(spare.id) { return .opened(spare.id) }
        }
        let opening = await openSession()
        guard case .full = opening, let program = kept.popLast() else { return opening }
        await program.stop()
        isFull = false
        return await openSession()
    }

    /// Takes back a channel from `open` that was not needed.
    func putBack(_ id: ChannelID) async {
        guard spare == nil, !isOpeningSpare, !isClosed else { return await release(id) }
        setSpare(id)
    }

    private func openSession() async -> Opening {
        guard !isFull else { return .full }
        do throws(CallFailure) {
            return .opened(try await host.connection.openSession())
        } catch {
            guard error.isRefusal else { return .lost }
            isFull = true
            return .full
        }
    }

    /// Runs a program on a channel from `open`.
    func run(
        _ request: ExecRequest,
        streams: ProgramStreams,
        on id: ChannelID,
        observer: @escaping ConnectionObserver
    ) async throws(VTError) -> ExitStatus {
        prepareSpare()
        defer {
            isFull = false
            prepareSpare()
        }
        try await start(request, on: id, observer: observer).get()
        return try await host.connection.finish(streams, on: id)
    }

    /// Starts a program even if the task is canceled, because an outstanding reply would affect other programs.
    private func start(
        _ request: ExecRequest,
        on id: ChannelID,
        observer: @escaping ConnectionObserver
    ) async -> Result<Void, VTError> {
        let connection = host.connection
        let starting = Task<Result<Void, VTError>, Never>(executorPreference: executor) {
            let timer = await connection.limitAnswer()
            defer { timer.cancel() }
            do throws(VTError) {
                return .success(try await connection.start(request, on: id, observer: observer))
            } catch {
                return .failure(error)
            }
        }
        return await starting.value
    }

    /// Closes a channel from `open` on which nothing was run.
    func release(_ id: ChannelID) async {
        await host.connection.forget(id)
        isFull = false
        prepareSpare()
    }

    /// Opens a spare channel if there is none.
    func prepareSpare() {
        guard spare == nil, !isOpeningSpare, !isFull, !isClosed else { return }
        isOpeningSpare = true
        Task(executorPreference: executor) { await self.openSpare() }
    }

    private func openSpare() async {
        let opening = await openSession()
        isOpeningSpare = false
        guard case .opened(let id) = opening else { return }
        guard !isClosed else { return await host.connection.forget(id) }
        setSpare(id)
    }

    private func setSpare(_ id: ChannelID) {
        spare = (id, Task(executorPreference: executor) { await self.wait(on: id) })
    }

    private func wait(on id: ChannelID) async {
        do throws(CallFailure) {
            try await host.connection.wait(on: id)
            // The server closes unused channels; the next program opens one.
            if spare?.id == id { spare = nil }
            await host.connection.forget(id)
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
    }

    // MARK: - Checks

    /// Whether the connection works; asks the server if it has been silent.
    private func isAlive() async -> Bool {
        guard await host.connection.opensIfUsable != nil else { return false }
        return await host.connection.answers(
            afterSilence: Self.checkedSilence,
            within: Self.answerTimeout
        )
    }
}

extension CallFailure {
    /// Whether the server refused to open a channel; the connection still works.
    fileprivate var isRefusal: Bool {
        guard case .engine(let error) = self else { return false }
        return error.isChannelRefusal
    }
}
