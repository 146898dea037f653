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
    /// vt failed, or has ended the program after a timeout; the error contains the state of the program.
    case failed(VTError)
    /// The program was not started, because other jobs failed or the run was interrupted.
    case skipped
    /// vt has stopped the program for the same reason, or has tried to.
    case aborted(VTError.ProgramState)

    package var isSuccess: Bool {
        self == .ended(.exited(0))
    }

    /// What is known about a program that has not ended by itself, and might have been started; otherwise nil.
    package var interrupted: VTError.ProgramState? {
        let state: VTError.ProgramState? =
            switch self {
            case .ended(.unknown): .mayBeRunning
            case .failed(let error): error.program
            case .aborted(let state): state
            case .ended, .skipped: nil
            }
        return state == .notStarted ? nil : state
    }
}
