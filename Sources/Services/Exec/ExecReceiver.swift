import Core

/// Receives the results of the jobs in a run.
package protocol ExecReceiver: Sendable {
    /// Returns the sinks for a program's standard output and standard error; called once per job, before it starts.
    func sinks(for job: ExecJob) -> (output: any ByteSink, errorOutput: any ByteSink)

    /// Receives the end of a job, after all of its output.
    ///
    /// - Throws: Errors from a sink, which end the run.
    func ended(_ job: ExecJob, _ end: ExecEnd) async throws(VTError)
}

/// How a job ended, and when its program ran.
package struct ExecEnd: Hashable, Sendable {
    package var outcome: ExecOutcome
    /// Nil if the program was not started.
    package var timing: ExecTiming?

    package init(_ outcome: ExecOutcome, _ timing: ExecTiming? = nil) {
        (self.outcome, self.timing) = (outcome, timing)
    }
}

/// When a program was started, and for how long it ran.
package struct ExecTiming: Hashable, Sendable {
    package var start: Timestamp
    package var duration: Duration

    package init(start: Timestamp, duration: Duration) {
        (self.start, self.duration) = (start, duration)
    }
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
