import Core
import Runtime
import Services

/// Ends a run whose output has no reader, and forwards everything to another receiver.
///
/// A pipe without a reader ends the run immediately, like SIGPIPE. A stalled reader can block the run, but not beyond
/// the timeout set by the user.
final class OutputGuard: ExecReceiver {
    private let receiver: any ExecReceiver
    private let outputs: [any OutputQueue]
    private let clock: any Clock<Duration>

    init(_ receiver: any ExecReceiver, outputs: [any OutputQueue], clock: any Clock<Duration>) {
        self.receiver = receiver
        self.outputs = outputs
        self.clock = clock
    }

    func sinks(for job: ExecJob) -> (output: any ByteSink, errorOutput: any ByteSink) {
        receiver.sinks(for: job)
    }

    func ended(_ job: ExecJob, _ outcome: ExecOutcome) async throws(VTError) {
        guard !outputs.contains(where: \.hasLostReader) else {
            throw VTError(.io, "cannot write output: its reader has closed the pipe")
        }
        guard case .failed(let error) = outcome, error.code == .timedOut else {
            return try await receiver.ended(job, outcome)
        }
        let receiver = receiver
        try await withTimeout(RunQueues.lastOutputTimeout, on: clock, throwing: error) {
            () async throws(VTError) in
            try await receiver.ended(job, outcome)
        }
    }
}
