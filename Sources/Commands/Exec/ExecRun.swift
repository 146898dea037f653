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
        let report = fleet.retryFile?.isRetry == true ? try fleet.outputDirectory?.report() : nil
        try fleet.outputDirectory?.prepare(for: jobs, report: report)
        if let retryFile = fleet.retryFile {
            try retryFile.check()
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
            let timeout = options.limits.timeout
            let end = await service.end(of: job, streams: streams, timeout: timeout, isStoppable: timeout != nil)
            recordConnections([end])
            if fleet.showsSummary, !Task.isCancelled {
                try await context.queues.drain()
                ExecSummary(results: [(job.name, end)]).showTimings(on: context)
            }
            return try end.outcome.status(on: job.name)
        }
        let input = try input()
        let formatter = formatter(adding: report)
        let receiver = ExecProgress(
            formatter,
            outputs: [output, errorOutput],
            retryFile: fleet.retryFile,
            total: showsProgress ? jobs.count : nil,
            limits: options.limits,
            isJSON: context.global.json,
            diagnostics: context.diagnostics,
            clock: context.world.clock
        )
        let failed = isSingle ? [:] : service.failures(before: jobs)
        let early = failed.sorted { $0.key < $1.key }.map { (name: jobs[$0.key].name, error: $0.value) }
        TargetFailures(early).report(on: context.diagnostics)
        let ends = try await context.refreshingProgress(if: showsProgress) { () async throws(VTError) in
            try await service.run(jobs, input: input, limits: options.limits, failed: failed, receiver: receiver)
        }
        recordConnections(ends)
        try await RunQueues.write(after: nil, on: context.world.clock) { () async throws(VTError) in
            try await formatter.finish()
        }
        if let stall = receiver.firstError {
            try await context.queues.drain(after: stall)
        } else {
            try await drain(after: ends)
        }
        let summary = ExecSummary(results: zip(jobs, ends).map { ($0.name, $1) })
        if fleet.showsSummary { summary.showTimings(on: context) }
        if isSingle, let end = ends.first { return try end.outcome.status(on: jobs[0].name) }
        if service.retryCount > 0 {
            context.diagnostics.note(
                "retried \(service.retryCount) connections that servers had closed immediately; see MaxStartups in "
                    + "sshd_config(5)"
            )
        }
        context.finishNotes()
        // Its note, too, precedes the list of failures.
        let retryFile = Result { () throws(VTError) in
            try fleet.retryFile?.write(jobs, diagnostics: context.diagnostics)
        }
        summary.report(on: context.diagnostics, without: Set(early.map(\.name)))
        try retryFile.get()
        let isComplete = fleet.retryFile?.isComplete ?? true
        return isComplete ? summary.status : VTError.Code.negative.status
    }

    private var showsProgress: Bool {
        jobs.count > 1 && context.console.progressLine.isEnabled && !context.global.quiet
    }

    /// Waits until all output is written; if commands were ended, a stalled reader is not waited for without limit, except
    /// for output that is only printed now.
    private func drain(after ends: [ExecEnd]) async throws(VTError) {
        if case .gathered = options.format { return try await context.queues.drain() }
        let limits = ends.map(\.outcome).filter(\.isStopped).compactMap(options.limits.outputLimit)
        guard let limit = limits.min(by: { $0.duration < $1.duration }) else { return try await context.queues.drain() }
        try await context.queues.drain(after: limit.error, within: limit.duration)
    }

    /// Records in the profiles that vt has connected to their servers.
    private func recordConnections(_ ends: [ExecEnd]) {
        let names = zip(jobs, ends).compactMap { job, end in
            guard case .remote(let plan) = job.place, case .ended = end.outcome else { return String?.none }
            return plan.name
        }
        // If the state directory cannot be determined, there are no profiles to update.
        guard !names.isEmpty, let profiles = try? context.profileService() else { return }
        profiles.recordConnections(to: names, diagnostics: context.diagnostics)
    }

    /// Returns what prints the output, or writes it to files, with the results added to those of the run before.
    private func formatter(adding report: ExecReport?) -> any ExecFormatter {
        let styles = (context.output.style, context.errorStyle)
        switch options.format {
        case .files(let directory):
            let formatter = FileFormatter(directory, report: report)
            context.atEnd { () throws(VTError) in try formatter.writeReport() }
            return formatter
        case .gathered where context.global.json: return ResultFormatter(output: output)
        case .gathered: return GatherFormatter(output: output, errorOutput: errorOutput, styles: styles)
        case .prefixed, .direct, nil:
            return LiveFormatter(
                output: SharedSink(output),
                errorOutput: SharedSink(errorOutput),
                styles: styles,
                isJSON: context.global.json
            )
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
