import Arguments
import Core
import POSIX
import Services

/// A run of `vt exec`, from resolved jobs to the exit status.
struct ExecRun {
    private let options: ExecOptions
    private let jobs: [ExecJob]
    private let context: Context
    private let output: any OutputQueue
    private let errorOutput: any OutputQueue

    init(options: ExecOptions, jobs: [ExecJob], context: Context) {
        self.options = options
        self.jobs = jobs
        self.context = context
        // As with ssh(1), the program runs even if vt was started without standard output or standard error.
        output = context.queues.output(mayBeClosed: true)
        errorOutput = context.queues.errorOutput(mayBeClosed: true)
    }

    /// Runs the jobs and returns the exit status.
    func perform() async throws(VTError) -> UInt8 {
        let service = context.execService()
        context.atEnd { await service.close() }
        return try await context.withRawTerminal(if: options.terminal != nil) { () async throws(VTError) in
            try await status(from: service)
        }
    }

    private func status(from service: ExecService) async throws(VTError) -> UInt8 {
        let isSingle = jobs.count == 1
        if isSingle, let job = jobs.first, !context.global.json, options.format == nil {
            let streams = ProgramStreams(
                input: try input(),
                output: output,
                errorOutput: errorOutput,
                sizes: options.terminal == nil ? nil : context.terminalSizes
            )
            let status = try await service.run(job, streams: streams, timeout: options.limits.timeout)
            note([.ended(status)])
            return status.shellStatus
        }
        let formatter = receiver()
        let shown: any ExecReceiver =
            showsProgress ? ProgressReceiver(formatter, of: jobs.count, on: context.diagnostics) : formatter
        let receiver = ReadReceiver(shown, outputs: [output, errorOutput])
        let outcomes = try await service.run(jobs, input: try input(), limits: options.limits, receiver: receiver)
        note(outcomes)
        try await formatter.finish()
        if isSingle, let outcome = outcomes.first { return try status(of: outcome) }
        report(outcomes)
        return outcomes.allSatisfy(\.isSuccess) ? 0 : VTError.Code.negative.status
    }

    /// Records in the profiles that vt has connected to their servers.
    private func note(_ outcomes: [ExecOutcome]) {
        let names = zip(jobs, outcomes).compactMap { job, outcome in
            guard case .remote(let plan) = job.place, case .ended = outcome else { return String?.none }
            return plan.name
        }
        // If the state directory cannot be determined, there are no profiles to update.
        guard !names.isEmpty, let profiles = try? context.profileService() else { return }
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

    /// Whether to show a progress line, which must not be mixed with lines of output on the terminal.
    private var showsProgress: Bool {
        jobs.count > 1 && (options.format == .gathered || !context.console.output.isTerminal)
    }

    private func input() throws(VTError) -> any ByteSource {
        switch options.input {
        case .standardInput: return context.console.input.source()
        case .none: return EmptySource()
        case .file(let path): return try ThreadedInput(path: path)
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
