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

    /// Runs one job; `whenConnected` is called before the program starts, once the server is connected.
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

    /// Runs one job, and returns how it ended, also if it failed.
    package func end(
        of job: ExecJob,
        streams: ProgramStreams,
        timeout: Duration?,
        isStoppable: Bool
    ) async -> ExecEnd {
        let stopwatch = Mutex<Stopwatch?>(nil)
        let outcome: ExecOutcome
        do throws(VTError) {
            let status = try await run(job, streams: streams, timeout: timeout, isStoppable: isStoppable) {
                stopwatch.withLock { [clock] in $0 = Stopwatch(clock) }
            }
            outcome = .ended(status)
        } catch {
            outcome = .failed(error)
        }
        // A server can refuse to start the program.
        if case .failed(let error) = outcome, error.program == .notStarted { return ExecEnd(outcome) }
        return ExecEnd(outcome, stopwatch.withLock { $0?.timing })
    }

    /// Runs all jobs except those that have already failed; each gets the whole input, no matter when it starts.
    ///
    /// Returns how they ended, in job order. If the task is canceled, the programs that are running are stopped, and no
    /// more are started.
    ///
    /// - Throws: Errors from the receiver.
    package func run(
        _ jobs: [ExecJob],
        input: any ByteSource,
        limits: ExecLimits,
        failed: [Int: VTError] = [:],
        receiver: any ExecReceiver
    ) async throws(VTError) -> [ExecEnd] {
        let spool = SpooledInput(input, readerCount: jobs.count - failed.count)
        return try await withTasks(of: Void.self) { group throws(VTError) in
            group.addTask { await spool.fill() }
            var schedule = ExecSchedule(self, jobs, input: spool, limits: limits, receiver: receiver)
            return try await schedule.run(failed: failed)
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
            try await beforeStart(whenConnected)
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
}

/// The time since a program was started.
private struct Stopwatch: Sendable {
    private let start = Timestamp.now()
    private let elapsed: @Sendable () -> Duration

    init(_ clock: any Clock<Duration>) {
        elapsed = Self.time(on: clock)
    }

    private static func time(on clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    var timing: ExecTiming { ExecTiming(start: start, duration: elapsed()) }
}
