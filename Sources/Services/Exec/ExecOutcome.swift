import Core

/// The result of a job.
package enum ExecOutcome: Hashable, Sendable {
    /// The program ended.
    case ended(ExitStatus)
    /// vt failed; it is unknown what the program did, if it was started.
    case failed(VTError)
    /// The program was not started, or was aborted, because another job failed.
    case skipped

    package var isSuccess: Bool {
        self == .ended(.exited(0))
    }
}
