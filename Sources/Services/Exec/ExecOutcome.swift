import Core

/// What became of a job.
package enum ExecOutcome: Hashable, Sendable {
    /// The program ran to its end.
    case ended(ExitStatus)
    /// vt failed; what the program did, if it ran at all, is unknown.
    case failed(VTError)
    /// It was not begun, or was broken off, because another one failed.
    case skipped

    package var isSuccess: Bool {
        self == .ended(.exited(0))
    }
}
