import Core
import Runtime
import Services
import Synchronization

/// Follows a run: ends it if its output has no reader, records the results for `--retry-failed`, and shows the number of
/// finished targets.
///
/// A pipe without a reader ends the run immediately, like SIGPIPE. A stalled reader can block the run, but not beyond
/// the timeout set by the user.
final class ExecProgress: ExecReceiver {
    private let receiver: any ExecReceiver
    private let outputs: [any OutputQueue]
    private let retryFile: RetryFile?
    /// The number of targets; nil if their progress is not shown.
    private let total: Int?
    private let diagnostics: any Diagnostics
    private let clock: any Clock<Duration>
    private let counts = Mutex((done: 0, failed: 0, aborted: 0))
    /// The first error while results were reported, after which they are only recorded.
    private let failure = Mutex<VTError?>(nil)

    /// Everything is forwarded to `receiver`, which writes to `outputs`.
    init(
        _ receiver: any ExecReceiver,
        outputs: [any OutputQueue],
        retryFile: RetryFile?,
        total: Int?,
        diagnostics: any Diagnostics,
        clock: any Clock<Duration>
    ) {
        self.receiver = receiver
        self.outputs = outputs
        self.retryFile = retryFile
        self.total = total
        self.diagnostics = diagnostics
        self.clock = clock
    }

    func sinks(for job: ExecJob) -> (output: any ByteSink, errorOutput: any ByteSink) {
        receiver.sinks(for: job)
    }

    func ended(_ job: ExecJob, _ outcome: ExecOutcome) async throws(VTError) {
        retryFile?.record(job, outcome)
        if let failure = failure.withLock({ $0 }) { throw failure }
        do throws(VTError) {
            try await report(job, outcome)
        } catch {
            failure.withLock { $0 = error }
            throw error
        }
    }

    private func report(_ job: ExecJob, _ outcome: ExecOutcome) async throws(VTError) {
        guard !outputs.contains(where: \.hasLostReader) else {
            throw VTError(.io, "cannot write output: its reader has closed the pipe")
        }
        showProgress(outcome)
        let failure = if case .failed(let error) = outcome { error } else { VTError?.none }
        try await RunQueues.write(after: failure, on: clock) { [receiver] () async throws(VTError) in
            try await receiver.ended(job, outcome)
        }
    }

    private func showProgress(_ outcome: ExecOutcome) {
        guard let total, outcome != .skipped else { return }
        let (done, failed, aborted) = counts.withLock { counts in
            counts.done += 1
            if outcome.isAborted { counts.aborted += 1 } else if !outcome.isSuccess { counts.failed += 1 }
            return counts
        }
        diagnostics.progress(
            "\(done) of \(total) targets finished" + (failed > 0 ? ", \(failed) failed" : "")
                + (aborted > 0 ? ", \(aborted) aborted" : "")
        )
    }
}
