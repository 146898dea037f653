import Core
import Services

/// Records which jobs succeed, for use by `--retry-failed`, and forwards everything to another receiver.
struct RetryReceiver: ExecReceiver {
    let receiver: any ExecReceiver
    let file: RetryFile

    func sinks(for job: ExecJob) -> (output: any ByteSink, errorOutput: any ByteSink) {
        receiver.sinks(for: job)
    }

    func ended(_ job: ExecJob, _ outcome: ExecOutcome) async throws(VTError) {
        file.record(job, outcome)
        try await receiver.ended(job, outcome)
    }
}
