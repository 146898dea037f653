import Core
import Runtime
import Synchronization

/// A program on this machine, and the sh(1) that it runs at the far end, which waits for one command.
///
/// The shell runs a `CommandPrelude`, which reads the command from standard input: neither the command nor its
/// variables appear in the arguments of the program. The prelude announces when the shell has started, and when the
/// command has. Anything printed before the command has started comes from the program, not from the command.
final class FarShell: Sendable {
    private struct State: Sendable {
        var prelude: CommandPrelude
        /// The lines printed before the command.
        var output = PrintedLines()
        var errorOutput = PrintedLines()
        /// The streams of the command; nil while there is none.
        var streams: ProgramStreams?
        var hasEnded = false
    }

    /// The terminal of the program; nil if it has none.
    let terminal: ExecRequest.Terminal?

    private let link: ViaHost.Link
    /// Only `start` waits for changes.
    private let state: Monitor<State>
    private let input = FarShellInput()
    private let sizes = AsyncStream.makeStream(of: TerminalSize.self)
    /// The run of the program; set when it is started.
    private let program = Mutex<Task<Result<ExitStatus, VTError>, Never>?>(nil)

    /// The maximum output before the command starts; more than the output of building an image, for example.
    private static let outputLimitBytes = 4 << 20
    /// The maximum length of program output that is quoted in an error.
    private static let reasonLimit = 200

    private init(over link: ViaHost.Link, terminal: ExecRequest.Terminal?) {
        self.link = link
        self.terminal = terminal
        state = Monitor(State(prelude: CommandPrelude(hasTerminal: terminal != nil, confirms: true)))
    }

    /// Starts the program, and waits until the shell at the far end waits for a command.
    ///
    /// - Throws: `host.unreachable` when the program cannot be started, ends, or takes longer than the connect timeout.
    static func start(
        over link: ViaHost.Link,
        terminal: ExecRequest.Terminal?
    ) async throws(VTError) -> FarShell {
        let shell = FarShell(over: link, terminal: terminal)
        shell.startProgram()
        do throws(VTError) {
            try await withTimeout(link.plan.connectTimeout, on: link.clock, throwing: shell.lateness) {
                () async throws(VTError) in
                try await shell.waitUntilReady()
            }
        } catch {
            await shell.stop()
            throw shell.explained(error)
        }
        link.observer(link.plan.name, .connected(address: nil))
        return shell
    }

    /// Runs a command until it ends, as `CommandHost.run` describes; called once.
    func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> ExitStatus {
        var request = request
        // A login shell sets SHELL, but other programs might pass on the variable of this machine.
        if !link.plan.command.takesLine { request.shell = request.shell ?? "/bin/sh" }
        guard let command = RemoteCommandLine(request) else {
            throw VTError(.usage, "'\(link.plan.name)' has no subsystems, because it is reached without SSH")
        }
        var variables = request.environment + request.offeredEnvironment
        if let terminal = request.terminal { variables.append(try EnvironmentVariable("TERM=\(terminal.type)")) }
        state.withLock { $0.streams = streams }
        input.send(CommandPrelude.input(for: command, variables: variables), then: streams.input)
        let result = await withTaskGroup(of: Void.self) { group in
            if let resizes = streams.sizes {
                group.addTask { for await size in resizes { self.sizes.continuation.yield(size) } }
            }
            defer { group.cancelAll() }
            return await withTaskCancellationHandler {
                await outcome()
            } onCancel: {
                cancel()
            }
        }
        let status = try result.get()
        guard state.withLock({ $0.prelude.isDone }) else {
            throw explained(failure(status, hint: "the program must pass on its standard input"))
        }
        return status
    }

    /// Ends the program, and the command if it is still running.
    func stop() async {
        cancel()
        _ = await outcome()
    }

    // MARK: - Program

    private func startProgram() {
        let prelude = state.withLock { $0.prelude }
        let words = link.plan.command.arguments(running: ["/bin/sh", "-c", prelude.script], line: prelude.line)
        let request = ExecRequest(.arguments(words), terminal: terminal)
        let streams = ProgramStreams(
            input: input,
            output: CallbackSink { bytes async throws(VTError) in try await self.receive(bytes) },
            errorOutput: CallbackSink { bytes async throws(VTError) in try await self.receiveErrors(bytes) },
            sizes: terminal == nil ? nil : sizes.stream
        )
        let task = Task(executorPreference: link.executor) { () -> Result<ExitStatus, VTError> in
            let result: Result<ExitStatus, VTError>
            do throws(VTError) {
                result = .success(try await self.link.machine.run(request, streams: streams))
            } catch {
                result = .failure(error)
            }
            self.state.update { $0.hasEnded = true }
            return result
        }
        program.withLock { $0 = task }
    }

    private func cancel() {
        program.withLock { $0 }?.cancel()
    }

    private func outcome() async -> Result<ExitStatus, VTError> {
        await program.withLock { $0 }?.value ?? .failure(.cancelled)
    }

    private func waitUntilReady() async throws(VTError) {
        let isReady = try await state.wait { $0.prelude.isReading ? true : $0.hasEnded ? false : nil }
        guard !isReady else { return }
        switch await outcome() {
        case .success(let status):
            let hint = "the program must run the words that follow it, as 'docker exec -i BOX' does"
            throw failure(status, hint: status.isSuccess ? hint : nil)
        case .failure(let error) where error.code == .hostUnreachable:
            throw error
        case .failure(let error):
            throw VTError(
                .hostUnreachable,
                "the --via program of '\(link.plan.name)' failed: \(error.message)",
                hint: error.hint,
                causes: error.causes
            )
        }
    }

    // MARK: - Output

    private func receive(_ bytes: [UInt8]) async throws(VTError) {
        let (lines, output, destination) = state.update { state in
            let (before, after) = state.prelude.output.split(bytes)
            if state.prelude.acceptsInput { input.open() }
            return (state.output.add(before), after, state.streams?.output)
        }
        report(lines)
        try await pass(output, to: destination)
    }

    private func receiveErrors(_ bytes: [UInt8]) async throws(VTError) {
        let (lines, output, destination) = state.withLock { state in
            let (before, after) = state.prelude.errorOutput.split(bytes)
            return (state.errorOutput.add(before), after, state.streams?.errorOutput)
        }
        report(lines)
        try await pass(output, to: destination)
    }

    private func pass(_ output: [UInt8], to destination: (any ByteSink)?) async throws(VTError) {
        guard !output.isEmpty else { return try checkAmount() }
        guard let destination else {
            throw VTError(
                .protocolViolation,
                "the --via program of '\(link.plan.name)' sent the output of a command that vt has not started",
                hint: "run the program by hand; it must run a shell and pass on its output unchanged"
            )
        }
        try await destination.write(output)
    }

    /// Ends a program that prints endlessly instead of starting the command.
    private func checkAmount() throws(VTError) {
        let countBytes = state.withLock { $0.output.countBytes + $0.errorOutput.countBytes }
        guard countBytes > Self.outputLimitBytes else { return }
        throw VTError(
            .hostUnreachable,
            "the --via program of '\(link.plan.name)' printed more than \(Self.outputLimitBytes >> 20) MiB without starting "
                + "the command"
        )
    }

    private func report(_ lines: [String]) {
        for line in lines { link.observer(link.plan.name, .printed(line: line)) }
    }

    // MARK: - Errors

    private var lateness: VTError {
        VTError(
            .hostUnreachable,
            "'\(link.plan.name)' did not answer within \(link.plan.connectTimeout.shortText)",
            hint: ConnectionLimits.hint
        )
    }

    /// The error for a program that ended before it started the command.
    private func failure(_ status: ExitStatus, hint: String?) -> VTError {
        let what =
            status.isSuccess ? "ended without starting the command" : "failed: \(status.phrase)"
        return VTError(.hostUnreachable, "the --via program of '\(link.plan.name)' \(what)", hint: hint)
    }

    /// Adds what the program printed: its last line to the message, and all lines to the causes.
    ///
    /// A program may print its arguments; the script, which is one of them, is omitted because it would only be
    /// distracting.
    private func explained(_ error: VTError) -> VTError {
        guard error.code == .hostUnreachable else { return error }
        let (output, errors, script) = state.withLock { state in
            (state.output.all, state.errorOutput.all, state.prelude.script.repairedText)
        }
        var error = error
        if let reason = (errors.last ?? output.last)?.replacing(script, with: "…") {
            error.message += ": " + (reason.count > Self.reasonLimit ? reason.prefix(Self.reasonLimit) + "…" : reason)
        }
        error.causes += (output + errors).map { $0.replacing(script, with: "…") }
        return error
    }
}

/// The input of a far shell: the line that its prelude reads, then the input of the command.
private final class FarShellInput: ByteSource {
    private struct State: Sendable {
        /// The line for the prelude; nil once it has been read.
        var line: [UInt8]?
        /// The input of the command; nil while there is none.
        var source: (any ByteSource)?
        /// Whether the command's input may follow.
        var isOpen = false
    }

    private let state = Monitor(State())

    func send(_ line: [UInt8], then source: any ByteSource) {
        state.update { $0 = State(line: line, source: source, isOpen: $0.isOpen) }
    }

    func open() {
        state.update { $0.isOpen = true }
    }

    func read() async throws(VTError) -> [UInt8]? {
        let (line, source) = try await state.wait { state -> ([UInt8]?, any ByteSource)? in
            guard let source = state.source else { return nil }
            if let line = state.line {
                state.line = nil
                return (line, source)
            }
            return state.isOpen ? (nil, source) : nil
        }
        if let line { return line }
        return try await source.read()
    }
}
