import Core

/// The order in which the jobs of a run start: in batches, each of which begins when the one before is complete.
struct ExecSchedule {
    private let service: ExecService
    private let jobs: [ExecJob]
    private let input: SpooledInput
    private let limits: ExecLimits
    private let receiver: any ExecReceiver
    /// How the jobs ended; nil for a job that has not.
    private var ends: [ExecEnd?]
    /// The number of jobs that have failed.
    private var failures = 0
    /// The number of failures that stop the run.
    private let maximumFailures: Int
    /// The first error of the receiver, which stops the run.
    private var failure: VTError?

    init(
        _ service: ExecService,
        _ jobs: [ExecJob],
        input: SpooledInput,
        limits: ExecLimits,
        receiver: any ExecReceiver
    ) {
        (self.service, self.jobs, self.input, self.limits, self.receiver) = (service, jobs, input, limits, receiver)
        ends = Array(repeating: nil, count: jobs.count)
        maximumFailures = limits.failures?.applied(to: jobs.count) ?? .max
    }

    /// Runs all jobs except those that have already failed; returns how they ended.
    ///
    /// - Throws: Errors of the receiver.
    mutating func run(failed: [Int: VTError]) async throws(VTError) -> [ExecEnd] {
        for (index, error) in failed.sorted(by: { $0.key < $1.key }) {
            await end(index, ExecEnd(.failed(error.leaving(.notStarted))))
        }
        for (number, batch) in limits.batches.ranges(of: jobs.count).enumerated() {
            guard await waits(before: number), !isStopped else { break }
            await run(batch.filter { ends[$0] == nil })
            guard number > 0 || !limits.batches.hasCanary || batch.allSatisfy(succeeded) else { break }
        }
        if let failure { throw failure }
        for (job, end) in zip(jobs, ends) where end == nil {
            try await receiver.ended(job, ExecEnd(.skipped))
        }
        return ends.map { $0 ?? ExecEnd(.skipped) }
    }

    /// Whether no more jobs are started.
    private var isStopped: Bool { failures >= maximumFailures || failure != nil || Task.isCancelled }

    private func succeeded(_ index: Int) -> Bool { ends[index]?.outcome.isSuccess == true }

    /// Waits for the pause before a batch; returns false if the task is canceled meanwhile.
    private func waits(before number: Int) async -> Bool {
        guard number > 0, let pause = limits.batches.pause, !isStopped else { return true }
        do throws(VTError) {
            try await service.clock.pause(for: pause)
            return true
        } catch {
            return false
        }
    }

    /// Runs the jobs of a batch.
    private mutating func run(_ batch: [Int]) async {
        await withTaskGroup(of: (Int, ExecEnd).self) { group in
            var rest = batch[...]
            for _ in 0..<limits.parallel { begin(&rest, in: &group) }
            while let (index, result) = await group.next() {
                await end(index, ExecEnd(result.outcome.stopped, result.timing))
                if failure != nil || failures >= maximumFailures && !limits.finishesRunning { group.cancelAll() }
                begin(&rest, in: &group)
            }
        }
    }

    /// Starts the next job of a batch, unless the run is stopped.
    private func begin(_ rest: inout ArraySlice<Int>, in group: inout TaskGroup<(Int, ExecEnd)>) {
        guard !isStopped, let index = rest.popFirst() else { return }
        let (service, job, receiver, limits) = (service, jobs[index], receiver, limits)
        let reader = input.reader()
        group.addTask {
            let (output, errorOutput) = receiver.sinks(for: job)
            let streams = ProgramStreams(input: reader, output: output, errorOutput: errorOutput)
            let isStoppable = limits.endPrograms
            return (
                index, await service.end(of: job, streams: streams, timeout: limits.timeout, isStoppable: isStoppable)
            )
        }
    }

    /// Records and reports the end of a job.
    private mutating func end(_ index: Int, _ end: ExecEnd) async {
        ends[index] = end
        if !end.outcome.isSuccess { failures += 1 }
        do throws(VTError) {
            try await receiver.ended(jobs[index], end)
        } catch {
            failure = failure ?? error
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
