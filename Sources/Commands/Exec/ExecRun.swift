import Arguments
import Core
import Glibc
import POSIX
import Services

/// A run of `vt exec`, from resolved jobs to the exit status.
struct ExecRun {
    let options: ExecOptions
    let jobs: [ExecJob]
    let context: Context
    let interrupts: Interrupts

    /// How long output may be blocked after the command timed out.
    private static let timeout = Duration.seconds(1)

    private let output = Self.output(to: .output)
    private let errorOutput = Self.output(to: .errorOutput)

    init(options: ExecOptions, jobs: [ExecJob], context: Context, interrupts: Interrupts) {
        self.options = options
        self.jobs = jobs
        self.context = context
        self.interrupts = interrupts
    }

    /// The program also runs if vt was started without one of its streams, as with ssh(1).
    private static func output(to stream: StandardStream) -> ThreadedOutput {
        ThreadedOutput(stream.rawValue, name: stream.name, mayBeClosed: true)
    }

    /// Runs the jobs; if a signal or a closed reader ended the run, this process dies of that signal or of SIGPIPE.
    func perform() async throws(VTError) -> UInt8 {
        let service = try context.services.execService(context.diagnostics)
        let rawTerminal = options.terminal == nil ? nil : RawTerminal(StandardStream.input.rawValue)
        if let rawTerminal { TerminalGuard.begin(raw: rawTerminal, output: StandardStream.output.rawValue) }
        let suspending = rawTerminal.map(suspend)
        let (result, signal) = await interrupts.run { () async throws(VTError) in
            do throws(VTError) {
                let status = try await status(from: service)
                try await finishOutput()
                return status
            } catch {
                await deliver(after: error)
                throw error
            }
        }
        await service.close()
        suspending?.cancel()
        rawTerminal?.restore()
        if rawTerminal != nil { TerminalGuard.end() }
        if let signal { SignalThread.die(of: signal) }
        if output.hasLostReader || errorOutput.hasLostReader { SignalThread.die(of: SIGPIPE) }
        return try result.get()
    }

    /// Restores the terminal while this process is stopped, whenever a stop is requested.
    private func suspend(_ terminal: RawTerminal) -> Task<Void, Never> {
        let suspensions = interrupts.suspensions
        return Task {
            for await _ in suspensions {
                terminal.restore()
                SignalThread.stop()
                terminal.resume()
            }
        }
    }

    private func finishOutput() async throws(VTError) {
        try await output.finish()
        try await errorOutput.finish()
    }

    /// Writes the output that precedes the failure; after a timeout, a stalled reader gets a little more time.
    private func deliver(after failure: VTError) async {
        do throws(VTError) {
            guard failure.code == .timedOut else { return try await finishOutput() }
            try await withTimeout(Self.timeout, on: ContinuousClock(), throwing: failure) { () async throws(VTError) in
                try await finishOutput()
            }
        } catch {
            // The earlier failure is the one to report.
            return
        }
    }

    private func status(from service: ExecService) async throws(VTError) -> UInt8 {
        let isSingle = jobs.count == 1
        if isSingle, let job = jobs.first, !context.global.json, options.format == nil {
            let streams = ProgramStreams(
                input: try input(),
                output: output,
                errorOutput: errorOutput,
                sizes: options.terminal == nil ? nil : sizes
            )
            let status = try await service.run(job, streams: streams, timeout: options.limits.timeout)
            note([.ended(status)])
            return status.shellStatus
        }
        let formatter = receiver()
        let shown: any ExecReceiver =
            showsProgress ? ProgressReceiver(formatter, of: jobs.count, on: context.diagnostics) : formatter
        let receiver = ReadReceiver(shown, outputs: [output, errorOutput], timeout: Self.timeout)
        let outcomes = try await service.run(jobs, input: try input(), limits: options.limits, receiver: receiver)
        note(outcomes)
        try await formatter.finish()
        if isSingle, let outcome = outcomes.first { return try status(of: outcome) }
        report(outcomes)
        return outcomes.allSatisfy(\.isSuccess) ? 0 : VTError.Code.negative.status
    }

    /// Records in the profiles that they were connected to.
    private func note(_ outcomes: [ExecOutcome]) {
        let names = zip(jobs, outcomes).compactMap { job, outcome in
            guard case .remote(let plan) = job.place, case .ended = outcome else { return String?.none }
            return plan.name
        }
        // Without a known state directory there are no profiles either.
        guard !names.isEmpty, let profiles = try? context.services.profileService() else { return }
        profiles.noteConnections(to: names, diagnostics: context.diagnostics)
    }

    private func status(of outcome: ExecOutcome) throws(VTError) -> UInt8 {
        switch outcome {
        case .ended(let status): return status.shellStatus
        case .failed(let error): throw error
        case .skipped: throw .cancelled
        }
    }

    private func receiver() -> any ExecFormatter {
        if context.global.json { return EventFormatter(output: SharedSink(output)) }
        switch options.format {
        case .gathered: return GatherFormatter(output: output, errorOutput: errorOutput)
        case .prefixed, .direct, nil:
            return PrefixFormatter(output: SharedSink(output), errorOutput: SharedSink(errorOutput))
        }
    }

    /// Whether the terminal is free for a progress line, which is unnecessary if output lines are shown.
    private var showsProgress: Bool {
        jobs.count > 1 && (options.format == .gathered || !StandardStream.output.isTerminal)
    }

    private func input() throws(VTError) -> any ByteSource {
        switch options.input {
        case .standardInput: return ThreadedInput(StandardStream.input.rawValue)
        case .none: return EmptySource()
        case .file(let path): return try ThreadedInput(path: path)
        }
    }

    /// The terminal's size whenever it changes.
    private var sizes: AsyncStream<TerminalSize> {
        let resizes = interrupts.resizes
        return AsyncStream {
            for await _ in resizes {
                if let size = StandardStream.input.terminalSize { return size }
            }
            return nil
        }
    }

    /// Lists the failed targets.
    private func report(_ outcomes: [ExecOutcome]) {
        let failures = zip(jobs, outcomes).filter { !$0.1.isSuccess }
        guard !failures.isEmpty else { return }
        context.diagnostics.note("\(failures.count) of \(jobs.count) targets failed")
        for (job, outcome) in failures {
            switch outcome {
            case .ended(.exited(let code)): context.diagnostics.note("\(job.name): exit \(code)")
            case .ended(.signalled(let signal, _)): context.diagnostics.note("\(job.name): signal \(signal.text)")
            case .failed(let error): context.diagnostics.note("\(job.name): \(error.message) (\(error.code.rawValue))")
            case .skipped: context.diagnostics.note("\(job.name): not run")
            }
        }
    }
}
