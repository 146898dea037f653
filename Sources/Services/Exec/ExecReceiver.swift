import Core

/// Receives the results of the jobs in a run.
package protocol ExecReceiver: Sendable {
    /// Returns the sinks for a program's standard output and standard error; called once per job, before it starts.
    func sinks(for job: ExecJob) -> (output: any ByteSink, errorOutput: any ByteSink)

    /// Receives a job's outcome, after all of its output.
    ///
    /// - Throws: Errors from a sink, which end the run.
    func ended(_ job: ExecJob, _ outcome: ExecOutcome) async throws(VTError)
}

/// The result of a job.
package enum ExecOutcome: Hashable, Sendable {
    /// The program ran and ended with this status.
    case ended(ExitStatus)
    /// vt failed; whether the program was started, and what it did, is unknown.
    case failed(VTError)
    /// The program was not started, because another job failed.
    case skipped
    /// The job was canceled because another job failed; the program might have been started, and might still run.
    case aborted

    package var isSuccess: Bool {
        self == .ended(.exited(0))
    }
}
