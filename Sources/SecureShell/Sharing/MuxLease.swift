import Core
import Runtime
import System

/// A command's use of a shared connection: one program.
///
/// The mux server runs nothing before it has received `run`, so the command can use another connection until it has
/// sent it.
struct MuxLease: Sendable {
    let name: String
    /// The number of the mux server for this connection.
    let number: Int
    let channel: FrameSocket

    /// The interval and number of pings while something runs.
    static let runPings = (interval: Duration.seconds(5), count: 3)

    /// Whether the mux server has opened a channel.
    enum Opening {
        case opened
        /// The server allows no further channels on this connection.
        case full
        /// The connection cannot be used.
        case unusable
    }

    /// Waits for the channel that the client has requested.
    func open() async throws(VTError) -> Opening {
        do throws(VTError) {
            switch try await channel.receive() {
            case .opened: return .opened
            case .full: return .full
            default: return .unusable
            }
        } catch {
            if error.isCancellation { throw error }
            return .unusable
        }
    }

    func close() async {
        await channel.close()
    }

    // MARK: - Programs

    /// Runs a program on the open channel as `CommandHost.run` describes.
    func run(
        _ request: ExecRequest,
        streams: ProgramStreams,
        observer: @escaping ConnectionObserver
    ) async throws(VTError) -> ExitStatus {
        await watch()
        await channel.send(.run(request))
        // The number of bytes of input that the mux server accepts.
        let credit = Monitor(MuxFrame.inputWindowBytes)
        return try await withCleanup({ await channel.close() }) { () async throws(VTError) in
            try await firstResult { tasks in
                tasks.add { () async throws(VTError) in
                    try await self.send(streams.input, credit)
                    return request.isKept ? .exited(0) : nil
                }
                if let sizes = streams.sizes {
                    tasks.add { () async throws(VTError) in
                        for await size in sizes { await self.channel.send(.resize(size)) }
                        return nil
                    }
                }
                if let signals = streams.signals {
                    tasks.add { () async throws(VTError) in
                        for await name in signals { await self.channel.send(.signal(name)) }
                        return nil
                    }
                }
                tasks.add { () async throws(VTError) in
                    try await self.drain(to: streams, observer: observer, credit)
                }
            }
        }
    }

    private func drain(
        to streams: ProgramStreams,
        observer: @escaping ConnectionObserver,
        _ credit: Monitor<Int>
    ) async throws(VTError) -> ExitStatus {
        while let frame = try await channel.receive() {
            switch frame {
            case .output(let bytes): try await streams.output.write(bytes)
            case .errorOutput(let bytes): try await streams.errorOutput.write(bytes)
            case .credit(let count): credit.update { $0 += Int(count) }
            case .step(let name, let step): observer(name, step)
            case .exited(let status): return status
            case .failed(let error): throw error
            default: continue
            }
        }
        throw loss
    }

    private func send(_ source: any ByteSource, _ credit: Monitor<Int>) async throws(VTError) {
        while let bytes = try await source.read() {
            var rest = bytes[...]
            while !rest.isEmpty {
                let wanted = min(rest.count, MuxFrame.chunkBytes)
                let count = try await credit.wait { credit -> Int? in
                    guard credit > 0 else { return nil }
                    defer { credit -= min(wanted, credit) }
                    return min(wanted, credit)
                }
                await channel.send(.input(Array(rest.prefix(count))))
                rest = rest.dropFirst(count)
            }
        }
        await channel.send(.inputEnd)
    }

    // MARK: - Failures

    /// Fails if the mux server stops answering while something runs.
    private func watch() async {
        var silence = loss
        silence.message += ": the process that keeps it open does not respond"
        await channel.failOnSilence(every: Self.runPings.interval, count: Self.runPings.count, silence)
    }

    /// The error for a mux server that ends while something runs.
    private var loss: VTError {
        VTError(
            .hostUnreachable,
            "lost the shared connection to '\(name)'",
            hint: "set VT_SHARE=off to open a separate connection for the command"
        )
    }
}
