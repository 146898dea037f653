import Core
import Runtime
import Synchronization

/// Runs programs on this machine and on servers.
///
/// A program is never run twice: the connector retries only the connection, before anything has been run.
package struct ExecService: Sendable {
    private let connector: any Connector
    private let local: any CommandHost
    let clock: any Clock<Duration>
    private let observer: ConnectionObserver
    private let retries = Monitor(0)

    /// Notes if a server rejects one of the variables with these names.
    package init(_ world: World, reporting variables: Set<String> = []) {
        (connector, local, clock) = (world.makeConnector(), world.localMachine(), world.clock)
        let (report, diagnostics) = (world.observer, world.diagnostics)
        observer = { [retries] name, step in
            report(name, step)
            switch step {
            case .retrying: retries.update { $0 += 1 }
            case .refused(let variable) where variables.contains(variable):
                diagnostics.note("'\(name)' rejected the variable '\(variable)'; to set it in any case, use --pass-env")
            default: break
            }
        }
    }

    /// Runs one job; `whenConnected` is called once the server is connected, before the program starts.
    ///
    /// A program that can time out is started such that it can be ended (see `runStoppable`).
    ///
    /// - Throws: `timed-out` when the timeout expires; errors from `Connector.connect` and `CommandHost.run`, with the
    ///   state of the program.
    package func run(
        _ job: ExecJob,
        streams: ProgramStreams,
        timeout: Duration?,
        whenConnected: @escaping @Sendable () async throws(VTError) -> Void = {}
    ) async throws(VTError) -> ExitStatus {
        try await run(
            job,
            streams: streams,
            timeout: timeout,
            isStoppable: timeout != nil,
            whenConnected: whenConnected
        )
    }

    /// Returns the errors of the jobs that cannot run because of what is on this machine, by their indexes, without
    /// connecting.
    package func failures(before jobs: [ExecJob]) -> [Int: VTError] {
        var failures: [Int: VTError] = [:]
        for (index, job) in jobs.enumerated() {
            guard case .remote(let plan) = job.place else { continue }
            do throws(VTError) {
                try connector.check(plan)
            } catch {
                failures[index] = error
            }
        }
        return failures
    }

    /// Runs all jobs except those that have already failed; each gets the whole input, no matter when it starts.
    ///
    /// Returns the outcomes in job order. If the task is canceled, the programs that are running are stopped, and no more
    /// are started.
    ///
    /// - Throws: Errors from the receiver.
    package func run(
        _ jobs: [ExecJob],
        input: any ByteSource,
        limits: ExecLimits,
        failed: [Int: VTError] = [:],
        receiver: any ExecReceiver
    ) async throws(VTError) -> [ExecOutcome] {
        let spool = SpooledInput(input, readerCount: jobs.count - failed.count)
        return try await withTasks(of: Void.self) { group throws(VTError) in
            group.addTask { await spool.fill() }
            return try await run(jobs, spool: spool, limits: limits, failed: failed, receiver: receiver)
        }
    }

    /// The number of times that a refused connection was retried.
    package var retryCount: Int { retries.withLock { $0 } }

    /// Closes the resources shared by the connections of several jobs.
    package func close() async {
        await connector.close()
    }

    // MARK: - One job

    private func run(
        _ job: ExecJob,
        streams: ProgramStreams,
        timeout: Duration?,
        isStoppable: Bool,
        whenConnected: @escaping @Sendable () async throws(VTError) -> Void = {}
    ) async throws(VTError) -> ExitStatus {
        do throws(VTError) {
            guard let timeout else {
                return try await run(job, streams: streams, isStoppable: isStoppable, whenConnected: whenConnected)
            }
            return try await run(
                job,
                streams: streams,
                within: timeout,
                isStoppable: isStoppable,
                whenConnected: whenConnected
            )
        } catch {
            var error = error
            if error.program == .mayBeRunning { error.hint = error.hint ?? "the command might still be running there" }
            throw error
        }
    }

    private func run(
        _ job: ExecJob,
        streams: ProgramStreams,
        within timeout: Duration,
        isStoppable: Bool,
        whenConnected: @escaping @Sendable () async throws(VTError) -> Void
    ) async throws(VTError) -> ExitStatus {
        let late = VTError(.timedOut, "'\(job.name)' did not finish within \(timeout.shortText)")
        let state = Mutex<VTError.ProgramState?>(nil)
        do throws(VTError) {
            return try await withTimeout(timeout, on: clock, throwing: late) { () async throws(VTError) in
                do throws(VTError) {
                    return try await self.run(
                        job,
                        streams: streams,
                        isStoppable: isStoppable,
                        whenConnected: whenConnected
                    )
                } catch {
                    state.withLock { $0 = error.program }
                    throw error
                }
            }
        } catch {
            throw error.leaving(state.withLock { $0 } ?? .mayBeRunning)
        }
    }

    private func run(
        _ job: ExecJob,
        streams: ProgramStreams,
        isStoppable: Bool,
        whenConnected: () async throws(VTError) -> Void
    ) async throws(VTError) -> ExitStatus {
        switch job.place {
        case .local:
            return try await runLocally(job.request, streams: streams)
        case .remote(let plan):
            let host = try await beforeStart { () async throws(VTError) in
                try await connector.connect(plan, observer: observer)
            }
            return try await withCleanup(host.close) { () async throws(VTError) in
                try await beforeStart(whenConnected)
                guard !isStoppable else { return try await runStoppable(job.request, on: host, streams: streams) }
                do throws(VTError) {
                    return try await host.run(job.request, streams: streams)
                } catch {
                    throw error.leaving(.mayBeRunning)
                }
            }
        }
    }

    /// Runs a program on this machine; if it cannot be started, the outcome is the same as from a shell on a server.
    private func runLocally(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> ExitStatus {
        do throws(VTError) {
            return try await local.run(request, streams: streams)
        } catch {
            guard let status = error.startStatus else { throw error.leaving(.ended) }
            let hint = error.hint.map { "hint: \($0.sanitized)\n" } ?? ""
            try await streams.errorOutput.write(Array("vt: \(error.message.sanitized)\n\(hint)".utf8))
            return .exited(status)
        }
    }

    // MARK: - Several jobs

    private func run(
        _ jobs: [ExecJob],
        spool: SpooledInput,
        limits: ExecLimits,
        failed: [Int: VTError],
        receiver: any ExecReceiver
    ) async throws(VTError) -> [ExecOutcome] {
        var outcomes = [ExecOutcome?](repeating: nil, count: jobs.count)
        for (index, error) in failed.sorted(by: { $0.key < $1.key }) {
            let outcome = ExecOutcome.failed(error.leaving(.notStarted))
            outcomes[index] = outcome
            try await receiver.ended(jobs[index], outcome)
        }
        let waiting = jobs.indices.filter { failed[$0] == nil }
        let maximum = limits.failures?.applied(to: jobs.count) ?? .max
        var failures = failed.count
        let failure = await withTaskGroup(of: (Int, ExecOutcome).self, returning: VTError?.self) { group in
            var next = 0
            var failure: VTError?
            func begin() {
                guard next < waiting.count, failures < maximum, failure == nil, !Task.isCancelled else { return }
                let (index, job) = (waiting[next], jobs[waiting[next]])
                next += 1
                group.addTask {
                    (index, await self.outcome(of: job, input: spool.reader(), limits: limits, receiver: receiver))
                }
            }
            for _ in 0..<limits.parallel { begin() }
            while let (index, outcome) = await group.next() {
                let outcome = outcome.stopped
                outcomes[index] = outcome
                if !outcome.isSuccess { failures += 1 }
                do throws(VTError) {
                    try await receiver.ended(jobs[index], outcome)
                } catch {
                    failure = failure ?? error
                }
                if failure != nil || failures >= maximum && !limits.finishesRunning { group.cancelAll() }
                begin()
            }
            return failure
        }
        if let failure { throw failure }
        for (job, outcome) in zip(jobs, outcomes) where outcome == nil {
            try await receiver.ended(job, .skipped)
        }
        return outcomes.map { $0 ?? .skipped }
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
            let isStoppable = limits.endPrograms
            return .ended(try await run(job, streams: streams, timeout: limits.timeout, isStoppable: isStoppable))
        } catch {
            return .failed(error)
        }
    }
}

extension ExecOutcome {
    /// The outcome of a job that may have been canceled.
    fileprivate var stopped: ExecOutcome {
        guard case .failed(let error) = self, error.isCancellation else { return self }
        return error.program == .notStarted ? .skipped : .aborted(error.program ?? .mayBeRunning)
    }
}
