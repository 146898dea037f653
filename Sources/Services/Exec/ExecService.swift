import Core
import Runtime

/// Runs programs on this machine and on servers.
///
/// A program is never run twice: the connector retries only the connection, before anything has been run.
package struct ExecService: Sendable {
    private let connector: any Connector
    private let local: any CommandHost
    private let clock: any Clock<Duration>
    private let observer: ConnectionObserver
    private let retries = Monitor(0)

    package init(
        connector: any Connector,
        local: any CommandHost,
        clock: any Clock<Duration>,
        observer: @escaping ConnectionObserver
    ) {
        self.connector = connector
        self.local = local
        self.clock = clock
        self.observer = { [retries] name, step in
            if case .retrying = step { retries.update { $0 += 1 } }
            observer(name, step)
        }
    }

    /// Runs one job; `whenConnected` is called once the server is connected, before the program starts.
    ///
    /// - Throws: `timed-out` when the timeout expires; errors from `Connector.connect` and `CommandHost.run`.
    package func run(
        _ job: ExecJob,
        streams: ProgramStreams,
        timeout: Duration?,
        whenConnected: @escaping @Sendable () async throws(VTError) -> Void = {}
    ) async throws(VTError) -> ExitStatus {
        guard let timeout else { return try await run(job, streams: streams, whenConnected: whenConnected) }
        let late = VTError(.timedOut, "'\(job.name)' did not finish within \(timeout.shortText)")
        return try await withTimeout(timeout, on: clock, throwing: late) { () async throws(VTError) in
            try await self.run(job, streams: streams, whenConnected: whenConnected)
        }
    }

    /// Runs all jobs; each gets the whole input, no matter when it starts.
    ///
    /// Returns the outcomes in job order.
    ///
    /// - Throws: Errors from the receiver, and `cancelled`.
    package func run(
        _ jobs: [ExecJob],
        input: any ByteSource,
        limits: ExecLimits,
        receiver: any ExecReceiver
    ) async throws(VTError) -> [ExecOutcome] {
        let spool = SpooledInput(input, readerCount: jobs.count)
        return try await withTasks(of: Void.self) { group throws(VTError) in
            group.addTask { await spool.fill() }
            return try await run(jobs, spool: spool, limits: limits, receiver: receiver)
        }
    }

    /// The number of times that a refused connection was retried.
    package var retryCount: Int { retries.withLock { $0 } }

    /// Closes the resources shared by the connections of several jobs.
    package func close() async {
        await connector.close()
    }

    // MARK: -

    private func run(
        _ job: ExecJob,
        streams: ProgramStreams,
        whenConnected: () async throws(VTError) -> Void
    ) async throws(VTError) -> ExitStatus {
        switch job.place {
        case .local:
            return try await runLocally(job.request, streams: streams)
        case .remote(let plan):
            let host = try await connector.connect(plan, observer: observer)
            return try await withCleanup(host.close) { () async throws(VTError) in
                try await whenConnected()
                return try await host.run(job.request, streams: streams)
            }
        }
    }

    /// Runs a program on this machine; if it cannot be started, the outcome is the same as from a shell on a server.
    private func runLocally(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> ExitStatus {
        do throws(VTError) {
            return try await local.run(request, streams: streams)
        } catch {
            guard let status = error.startStatus else { throw error }
            let hint = error.hint.map { "hint: \($0.sanitized)\n" } ?? ""
            try await streams.errorOutput.write(Array("vt: \(error.message.sanitized)\n\(hint)".utf8))
            return .exited(status)
        }
    }

    private func run(
        _ jobs: [ExecJob],
        spool: SpooledInput,
        limits: ExecLimits,
        receiver: any ExecReceiver
    ) async throws(VTError) -> [ExecOutcome] {
        var outcomes = [ExecOutcome](repeating: .skipped, count: jobs.count)
        let failure = await withTaskGroup(of: (Int, ExecOutcome).self, returning: VTError?.self) { group in
            var next = 0
            var isStopping = false
            func begin() {
                guard next < jobs.count, !isStopping else { return }
                let (index, job) = (next, jobs[next])
                next += 1
                group.addTask {
                    (index, await self.outcome(of: job, input: spool.reader(), limits: limits, receiver: receiver))
                }
            }
            for _ in 0..<limits.parallel { begin() }
            while let (index, outcome) = await group.next() {
                outcomes[index] = outcome
                if isStopping, case .failed(let error) = outcome, error.isCancellation { outcomes[index] = .aborted }
                do throws(VTError) {
                    try await receiver.ended(jobs[index], outcomes[index])
                } catch {
                    group.cancelAll()
                    return error
                }
                if limits.failFast, !outcome.isSuccess, !isStopping {
                    isStopping = true
                    group.cancelAll()
                }
                begin()
            }
            return Task.isCancelled ? .cancelled : nil
        }
        if let failure { throw failure }
        for (job, outcome) in zip(jobs, outcomes) where outcome == .skipped {
            try await receiver.ended(job, .skipped)
        }
        return outcomes
    }

    private func outcome(
        of job: ExecJob,
        input: any ByteSource,
        limits: ExecLimits,
        receiver: any ExecReceiver
    ) async -> ExecOutcome {
        let (output, errorOutput) = receiver.sinks(for: job)
        let streams = ProgramStreams(input: input, output: output, errorOutput: errorOutput)
        do throws(VTError) {
            return .ended(try await run(job, streams: streams, timeout: limits.timeout))
        } catch {
            return .failed(error)
        }
    }
}
