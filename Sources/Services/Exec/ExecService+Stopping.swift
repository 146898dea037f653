import Core
import Runtime

/// Ending programs on servers: closing the channel of a program that ignores the end of its streams has no effect.
///
/// Where it can, the shell of the program announces itself, and a second command ends its processes, also those that have
/// left the process group. Otherwise, signals are sent, which reach the process group at most, and only with some servers
/// and versions of libssh2.
extension ExecService {
    /// How long to wait for the announcement of a program that is to be ended while it is being started.
    private static let startTimeout = Duration.seconds(1)
    /// How long ending a program may take: the grace period of the `StopScript`, and the time to start the script.
    private static let stopTimeout = Duration.seconds(10)
    /// How long to wait for the last output and the status of a program that has ended.
    private static let endTimeout = Duration.seconds(1)
    /// The signals to send, and how long to wait for the end of the program after each of them.
    private static let signals = [(SignalName("TERM"), Duration.seconds(2)), (SignalName("KILL"), endTimeout)]

    /// Runs a program as `CommandHost.run` does; if the task is canceled, or the output cannot be written, ends it.
    ///
    /// - Throws: Errors of `CommandHost.run`, with the state of the program.
    func runStoppable(
        _ request: ExecRequest,
        on host: any RemoteHost,
        streams: ProgramStreams
    ) async throws(VTError) -> ExitStatus {
        let (clock, program) = (clock, StoppableProgram(request, on: host, streams: streams))
        do throws(VTError) {
            return try await program.result()
        } catch {
            guard error.program == nil, error.code != .hostUnreachable, error.code != .protocolViolation else {
                throw error.leaving(.mayBeRunning)
            }
            // The task might have been canceled.
            let stopping = Task.onCurrentExecutor { await Self.stop(program, on: host, clock) }
            throw error.leaving(await stopping.value)
        }
    }

    /// Ends a program, and returns its state.
    ///
    /// A program that is sent signals has ended if the server reports that: the exit status or signal, and the end of all
    /// processes that have its output open.
    private static func stop(
        _ program: StoppableProgram,
        on host: any RemoteHost,
        _ clock: any Clock<Duration>
    ) async -> VTError.ProgramState {
        let stopped = await value(within: stopTimeout, on: clock) { () async throws(VTError) in
            try await runStopScript(for: program, on: host, clock)
        }
        let result = stopped ?? nil
        var status = await value(within: result == nil ? .zero : endTimeout, on: clock) { () async throws(VTError) in
            try await program.result()
        }
        for (signal, timeout) in signals where status == nil && result != .ended && result != .survived {
            program.send(signal)
            status = await value(within: timeout, on: clock) { () async throws(VTError) in try await program.result() }
        }
        await program.cancel()
        switch result {
        case .ended: return .ended
        case .survived: return .mayBeRunning
        case .notFound, nil: return status == nil || status == .unknown ? .mayBeRunning : .ended
        }
    }

    /// Runs the `StopScript`; returns nil if the program has not announced itself, or if the script has not run.
    private static func runStopScript(
        for program: StoppableProgram,
        on host: any RemoteHost,
        _ clock: any Clock<Duration>
    ) async throws(VTError) -> StopScript.Result? {
        let process = await value(within: startTimeout, on: clock) { () async throws(VTError) in
            try await program.process()
        }
        guard let process else { return nil }
        let discarded = CallbackSink { _ in }
        let streams = ProgramStreams(input: BytesSource(), output: discarded, errorOutput: discarded)
        let status = try await host.run(StopScript.request(ending: process), streams: streams)
        guard case .exited(let code) = status else { return nil }
        return StopScript.Result(rawValue: code)
    }

    /// Returns the result of `body`, or nil if it fails or takes longer than `timeout`.
    private static func value<Result: Sendable>(
        within timeout: Duration,
        on clock: any Clock<Duration>,
        _ body: @escaping @Sendable () async throws(VTError) -> Result
    ) async -> Result? {
        do throws(VTError) {
            return try await withTimeout(timeout, on: clock, throwing: .cancelled, body)
        } catch {
            return nil
        }
    }
}

/// A program that continues when the task that has started it is canceled, until it is ended.
private struct StoppableProgram: Sendable {
    private let output: AnnouncedOutput
    private let end = Monitor<Result<ExitStatus, VTError>?>(nil)
    private let signals: AsyncStream<SignalName>.Continuation
    private let running: Task<Void, Never>

    /// Starts the program.
    init(_ request: ExecRequest, on host: any RemoteHost, streams: ProgramStreams) {
        let nonce = RandomIdentifier.make()
        let output = AnnouncedOutput(nonce, streams.output)
        let end = end
        var (request, streams) = (request, streams)
        request.announcement = nonce
        streams.output = output
        self.output = output
        let (stream, signals) = AsyncStream.makeStream(of: SignalName.self)
        streams.signals = stream
        self.signals = signals
        running = Task.onCurrentExecutor { [request, streams] in
            let result = await Result { () async throws(VTError) in
                let status = try await host.run(request, streams: streams)
                try await output.finish()
                return status
            }
            end.update { $0 = result }
        }
    }

    /// Waits for the announcement of the program.
    func process() async throws(VTError) -> ProcessAnnouncement.Process {
        try await output.process()
    }

    /// Waits for the end of the program.
    ///
    /// - Throws: Errors of `CommandHost.run`; `VTError.cancelled` when the task is canceled, after which the program
    ///   continues.
    func result() async throws(VTError) -> ExitStatus {
        try await end.wait { $0 }.get()
    }

    /// Sends the program a signal, if the server and libssh2 support that.
    func send(_ signal: SignalName) {
        signals.yield(signal)
    }

    /// Closes the streams of the program.
    func cancel() async {
        running.cancel()
        await running.value
    }
}

/// The output of a program, without the announcement of its shell.
private final class AnnouncedOutput: ByteSink {
    private let sink: any ByteSink
    private let announcement: Monitor<ProcessAnnouncement>

    init(_ nonce: String, _ sink: any ByteSink) {
        self.sink = sink
        announcement = Monitor(ProcessAnnouncement(nonce))
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        let passed = announcement.update { $0.split(bytes) }
        if !passed.isEmpty { try await sink.write(passed) }
    }

    /// Writes what was held back.
    func finish() async throws(VTError) {
        let rest = announcement.withLock { $0.rest() }
        if !rest.isEmpty { try await sink.write(rest) }
    }

    /// Waits for the announcement.
    func process() async throws(VTError) -> ProcessAnnouncement.Process {
        try await announcement.wait { $0.process }
    }
}
