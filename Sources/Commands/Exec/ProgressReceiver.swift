import Core
import Services
import Synchronization

/// Shows the number of finished targets, and forwards everything to another receiver.
final class ProgressReceiver: ExecReceiver {
    private let receiver: any ExecReceiver
    private let total: Int
    private let diagnostics: any Diagnostics
    private let counts = Mutex((done: 0, failed: 0))

    init(_ receiver: any ExecReceiver, of total: Int, on diagnostics: any Diagnostics) {
        self.receiver = receiver
        self.total = total
        self.diagnostics = diagnostics
    }

    func sinks(for job: ExecJob) -> (output: any ByteSink, errorOutput: any ByteSink) {
        receiver.sinks(for: job)
    }

    func ended(_ job: ExecJob, _ outcome: ExecOutcome) async throws(VTError) {
        let (done, failed) = counts.withLock { counts in
            counts.done += 1
            if !outcome.isSuccess { counts.failed += 1 }
            return counts
        }
        diagnostics.progress("\(done) of \(total) targets finished\(failed > 0 ? ", \(failed) failed" : "")")
        try await receiver.ended(job, outcome)
    }
}
