import Arguments
import Core
import Runtime
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
        errorOutput = context.queues.errorOutput()
    }

    /// Runs the jobs and returns the exit status.
    func perform() async throws(VTError) -> UInt8 {
        let service = ExecService(context.world, reporting: options.exactNames)
        context.atEnd { await service.close() }
        return try await context.withRawTerminal(if: options.terminal != nil) { () async throws(VTError) in
            try await status(from: service)
        }
    }

    private func status(from service: ExecService) async throws(VTError) -> UInt8 {
        let fleet = options.fleet
        let shard = try fleet.shard(in: context.console.environment)
        try fleet.outputDirectory?.prepare(for: jobs)
        if let retryFile = fleet.retryFile {
            context.atEnd { [jobs, diagnostics = context.diagnostics] () throws(VTError) in
                try retryFile.write(jobs, diagnostics: diagnostics)
            }
        }
        if let shard, context.global.json {
            let part = ShardDocument(shard: shard.index, shards: shard.count, targets: jobs.count)
            try await output.write(part.jsonLine)
        }
        let isSingle = jobs.count == 1 && !fleet.isPartial
        if isSingle, let job = jobs.first, !context.global.json, options.format == nil {
            let streams = ProgramStreams(
                input: try input(),
                output: output,
                errorOutput: errorOutput,
                sizes: options.terminal == nil ? nil : context.terminalSizes
            )
            let status = try await service.run(job, streams: streams, timeout: options.limits.timeout)
            recordConnections([.ended(status)])
            return try status.known(on: job.name).shellStatus
        }
        let formatter = receiver()
        let receiver = ExecProgress(
            formatter,
            outputs: [output, errorOutput],
            retryFile: fleet.retryFile,
            total: showsProgress ? jobs.count : nil,
            diagnostics: context.diagnostics,
            clock: context.world.clock
        )
        let failed = isSingle ? [:] : service.failures(before: jobs)
        let early = failed.sorted { $0.key < $1.key }.map { (name: jobs[$0.key].name, error: $0.value) }
        TargetFailures(early).report(on: context.diagnostics)
        let outcomes = try await service.run(
            jobs,
            input: try input(),
            limits: options.limits,
            failed: failed,
            receiver: receiver
        )
        recordConnections(outcomes)
        try await RunQueues.write(after: nil, on: context.world.clock) { () async throws(VTError) in
            try await formatter.finish()
        }
        if isSingle, let outcome = outcomes.first { return try outcome.status(on: jobs[0].name) }
        let summary = ExecSummary(results: zip(jobs, outcomes).map { ($0.name, $1) })
        summary.report(on: context.diagnostics, without: Set(early.map(\.name)))
        if service.retryCount > 0 {
            context.diagnostics.note(
                "retried \(service.retryCount) connections that servers had closed immediately; see MaxStartups in "
                    + "sshd_config(5)"
            )
        }
        let isComplete = fleet.retryFile?.isComplete ?? true
        return isComplete ? summary.status : VTError.Code.negative.status
    }

    /// Records in the profiles that vt has connected to their servers.
    private func recordConnections(_ outcomes: [ExecOutcome]) {
        let names = zip(jobs, outcomes).compactMap { job, outcome in
            guard case .remote(let plan) = job.place, case .ended = outcome else { return String?.none }
            return plan.name
        }
        // If the state directory cannot be determined, there are no profiles to update.
        guard !names.isEmpty, let profiles = try? context.profileService() else { return }
        profiles.recordConnections(to: names, diagnostics: context.diagnostics)
    }

    private func receiver() -> any ExecFormatter {
        switch options.format {
        case .files(let directory): return FileFormatter(directory)
        case .gathered where context.global.json: return ResultFormatter(output: output)
        case .gathered: return GatherFormatter(output: output, errorOutput: errorOutput)
        case .prefixed, .direct, nil:
            return LiveFormatter(
                output: SharedSink(output),
                errorOutput: SharedSink(errorOutput),
                isJSON: context.global.json
            )
        }
    }

    /// Whether to show a progress line, which must not be mixed with lines of output on the terminal.
    private var showsProgress: Bool {
        jobs.count > 1 && (keepsTerminalFree || !context.console.output.isTerminal)
    }

    /// Whether nothing is written to the terminal until the run ends.
    private var keepsTerminalFree: Bool {
        switch options.format {
        case .gathered, .files: true
        case .direct, .prefixed, nil: false
        }
    }

    private func input() throws(VTError) -> any ByteSource {
        switch options.input {
        case .standardInput: return context.console.input.source()
        case .none: return BytesSource()
        case .file(let path): return try ThreadedInput(path: path)
        }
    }
}

extension ExecOutcome {
    /// The exit status of a run on a single target, `name`.
    ///
    /// - Throws: The failure, or `cancelled` if the job was skipped or aborted.
    func status(on name: String) throws(VTError) -> UInt8 {
        switch self {
        case .ended(let status): return try status.known(on: name).shellStatus
        case .failed(let error): throw error
        case .skipped, .aborted: throw .cancelled
        }
    }
}
