import Core
import Runtime
import Synchronization
import System

/// A server on a shared connection.
///
/// Each program has its own socket to a mux server, which runs nothing before it has received `run`. Therefore, if no
/// shared connection can open a channel, the program runs on a connection that this process opens, and keeps for the
/// next program.
final class SharedHost: RemoteHost {
    let plan: SSHPlan
    let sharing: ConnectionSharing
    let directory: MuxDirectory
    let executor: LoopExecutor
    let diagnostics: any Diagnostics
    let observer: ConnectionObserver
    /// Opens a connection that is not shared.
    private let connectAlone: @Sendable () async throws(VTError) -> any RemoteHost
    /// The socket with which the connection was established, until it is used.
    private let first = Mutex<MuxSocket?>(nil)
    private let ownHost = Mutex<(any RemoteHost)?>(nil)
    private let ownTurn = AsyncLock()

    /// A socket to the mux server with this number, which opens a channel.
    typealias MuxSocket = (number: Int, frames: FrameSocket)

    /// The interval and number of pings while something runs.
    private static let runPings = (interval: Duration.seconds(5), count: 3)

    init(
        _ plan: SSHPlan,
        sharing: ConnectionSharing,
        directory: MuxDirectory,
        executor: LoopExecutor,
        diagnostics: any Diagnostics,
        observer: @escaping ConnectionObserver,
        connectAlone: @escaping @Sendable () async throws(VTError) -> any RemoteHost
    ) {
        self.plan = plan
        self.sharing = sharing
        self.directory = directory
        self.executor = executor
        self.diagnostics = diagnostics
        self.observer = observer
        self.connectAlone = connectAlone
    }

    /// Establishes the shared connection, or joins it; returns false if there is none.
    ///
    /// - Throws: errors of `Connector.connect`, which the mux server reports.
    func connect() async throws(VTError) -> Bool {
        let socket = try await connectedSocket(from: 0)
        first.withLock { $0 = socket }
        return socket != nil
    }

    var keepsPrograms: Bool { ownHost.withLock { $0 == nil } }

    func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> ExitStatus {
        guard let frames = try await beforeStart(openChannel) else {
            return try await beforeStart(makeOwnHost).run(request, streams: streams)
        }
        return try await run(request, streams: streams, over: frames)
    }

    func close() async {
        await takeFirst()?.frames.close()
        await ownHost.withLock { $0 }?.close()
    }

    // MARK: - Channels

    private func takeFirst() -> MuxSocket? {
        first.withLock { socket in
            defer { socket = nil }
            return socket
        }
    }

    /// Returns a socket with an open channel; nil if there is none on any shared connection.
    private func openChannel() async throws(VTError) -> FrameSocket? {
        var number = 0
        var failures = 0
        while failures < 2 {
            var next = takeFirst()
            if next == nil { next = try await connectedSocket(from: number) }
            guard let next else { return nil }
            do throws(VTError) {
                switch try await next.frames.receive() {
                case .frame(.opened): return next.frames
                case .frame(.full): number = next.number + 1
                default: failures += 1
                }
            } catch {
                if error.isCancellation { throw error }
                failures += 1
            }
            await next.frames.close()
        }
        return nil
    }

    private func makeOwnHost() async throws(VTError) -> any RemoteHost {
        try await ownTurn.withLock { () async throws(VTError) in
            if let host = ownHost.withLock({ $0 }) { return host }
            let host = try await connectAlone()
            ownHost.withLock { $0 = host }
            return host
        }
    }

    // MARK: - Programs

    /// Runs a program on the open channel as `CommandHost.run` describes.
    private func run(
        _ request: ExecRequest,
        streams: ProgramStreams,
        over frames: FrameSocket
    ) async throws(VTError) -> ExitStatus {
        await frames.limitSilence(every: Self.runPings.interval, count: Self.runPings.count)
        await frames.send(.run(request))
        // The number of bytes of input that the mux server accepts.
        let credit = Monitor(MuxFrame.inputWindowBytes)
        return try await withCleanup({ await frames.close() }) { () async throws(VTError) in
            try await firstResult { tasks in
                tasks.add { () async throws(VTError) in
                    try await self.send(streams.input, over: frames, credit)
                    return request.isKept ? .exited(0) : nil
                }
                if let sizes = streams.sizes {
                    tasks.add { () async throws(VTError) in
                        for await size in sizes { await frames.send(.resize(size)) }
                        return nil
                    }
                }
                if let signals = streams.signals {
                    tasks.add { () async throws(VTError) in
                        for await name in signals { await frames.send(.signal(name)) }
                        return nil
                    }
                }
                tasks.add { () async throws(VTError) in
                    try await self.receive(from: frames, to: streams, credit)
                }
            }
        }
    }

    private func receive(
        from frames: FrameSocket,
        to streams: ProgramStreams,
        _ credit: Monitor<Int>
    ) async throws(VTError) -> ExitStatus {
        while true {
            switch try await frames.receive() {
            case .frame(.output(let bytes)): try await streams.output.write(bytes)
            case .frame(.errorOutput(let bytes)): try await streams.errorOutput.write(bytes)
            case .frame(.credit(let count)): credit.update { $0 += Int(count) }
            case .frame(.step(let name, let step)): observer(name, step)
            case .frame(.exited(let status)): return status
            case .frame(.failed(let error)): throw error
            case .frame: continue
            case .silent: throw loss(": the process that keeps it open does not respond")
            case .ended: throw loss()
            }
        }
    }

    private func send(
        _ source: any ByteSource,
        over frames: FrameSocket,
        _ credit: Monitor<Int>
    ) async throws(VTError) {
        while let bytes = try await source.read() {
            var rest = bytes[...]
            while !rest.isEmpty {
                let wanted = min(rest.count, MuxFrame.chunkBytes)
                let count = try await credit.wait { credit -> Int? in
                    guard credit > 0 else { return nil }
                    defer { credit -= min(wanted, credit) }
                    return min(wanted, credit)
                }
                await frames.send(.input(Array(rest.prefix(count))))
                rest = rest.dropFirst(count)
            }
        }
        await frames.send(.inputEnd)
    }

    /// The error for a mux server that ends, or stops answering, while something runs.
    private func loss(_ reason: String = "") -> VTError {
        VTError(
            .hostUnreachable,
            "lost the shared connection to '\(plan.name)'\(reason)",
            hint: "set VT_SHARE=off to open a separate connection for the command"
        )
    }
}
