import Core
import Runtime
import Services
import Synchronization

/// Follows a run: ends it if its output has no reader, records the results for `--retry-failed`, and shows how many
/// targets have finished, and where the command is running.
///
/// A pipe without a reader ends the run immediately, like SIGPIPE. A stalled reader can block the run, but not beyond
/// the timeout set by the user.
final class ExecProgress: ExecReceiver {
    private let receiver: any ExecReceiver
    private let outputs: [any OutputQueue]
    private let retryFile: RetryFile?
    /// The number of targets; nil if their progress is not shown.
    private let total: Int?
    private let limits: ExecLimits
    private let diagnostics: any Diagnostics
    private let clock: any Clock<Duration>
    private let counts = Mutex(Counts())
    /// Whether the output contains the results.
    private let isJSON: Bool
    /// The first error while results were reported, after which they are only recorded.
    ///
    /// It ends the run, unless only output of stopped commands was not read.
    private let failure = Mutex<VTError?>(nil)

    private struct Counts {
        var done = 0
        var failed = 0
        var aborted = 0
        /// The names of the targets where the command is running or being started.
        var running: [String] = []
    }

    /// Everything is forwarded to `receiver`, which writes to `outputs`.
    init(
        _ receiver: any ExecReceiver,
        outputs: [any OutputQueue],
        retryFile: RetryFile?,
        total: Int?,
        limits: ExecLimits,
        isJSON: Bool,
        diagnostics: any Diagnostics,
        clock: any Clock<Duration>
    ) {
        self.receiver = receiver
        self.outputs = outputs
        self.retryFile = retryFile
        self.total = total
        self.limits = limits
        self.isJSON = isJSON
        self.diagnostics = diagnostics
        self.clock = clock
    }

    /// The first error while results were reported, such as a reader that has stalled.
    var firstError: VTError? { failure.withLock { $0 } }

    func sinks(for job: ExecJob) -> (output: any ByteSink, errorOutput: any ByteSink) {
        showProgress { $0.running.append(job.name) }
        return receiver.sinks(for: job)
    }

    func ended(_ job: ExecJob, _ end: ExecEnd) async throws(VTError) {
        retryFile?.record(job, end.outcome)
        do throws(VTError) {
            if let firstError { throw firstError }
            try await report(job, end)
        } catch {
            failure.withLock { $0 = error }
            guard error.code == .timedOut, !isJSON, end.outcome.isStopped || end.outcome == .skipped else {
                throw error
            }
        }
    }

    private func report(_ job: ExecJob, _ end: ExecEnd) async throws(VTError) {
        guard !outputs.contains(where: \.hasLostReader) else {
            throw VTError(.io, "cannot write output: its reader has closed the pipe")
        }
        showProgress { counts in
            counts.running.removeAll { $0 == job.name }
            guard end.outcome != .skipped else { return }
            counts.done += 1
            if end.outcome.isAborted { counts.aborted += 1 } else if !end.outcome.isSuccess { counts.failed += 1 }
        }
        let (error, duration) = limits.outputLimit(of: end.outcome) ?? (nil, RunQueues.lastOutputTimeout)
        try await RunQueues.write(after: error, within: duration, on: clock) { [receiver] () async throws(VTError) in
            try await receiver.ended(job, end)
        }
    }

    /// Shows the counts after a change: `38/40 done, 1 failed, 2 running: web[7,9]`.
    private func showProgress(after change: (inout Counts) -> Void) {
        guard let total else { return }
        let counts = counts.withLock { counts in
            change(&counts)
            return counts
        }
        let failures = counts.failed > 0 ? "\(counts.failed) failed" : nil
        var parts = ["\(counts.done)/\(total) done"]
        if let failures { parts.append(failures) }
        if counts.aborted > 0 { parts.append("\(counts.aborted) aborted") }
        if !counts.running.isEmpty {
            parts.append("\(counts.running.count) running: \(NameRanges.folded(counts.running))")
        } else if limits.batches.pause != nil, counts.done < total {
            // Nothing is running.
            parts.append("pausing")
        }
        diagnostics.progress(parts.joined(separator: ", "), failures: failures)
    }
}

extension ExecLimits {
    /// Returns how long the last output of a job, and its result, may wait for a stalled reader, and the error if they are not
    /// read; nil if their time is not limited.
    ///
    /// A command that has timed out has had its time. The result of another one gets as much time as a command.
    func outputLimit(of outcome: ExecOutcome) -> (error: VTError, duration: Duration)? {
        if case .failed(let error) = outcome, error.code == .timedOut { return (error, RunQueues.lastOutputTimeout) }
        return timeout.map { (VTError(.timedOut, "the output was not read within \($0.shortText)"), $0) }
    }
}
