import Core
import Services

/// Prints the output of a session as it arrives.
protocol LogPrinter: OutputReceiver {
    /// The number of bytes at the end of the output so far that have not been printed, because they may be incomplete.
    var heldBytes: Int { get }

    /// Prints the remaining output and, in formats that include it, the state of the session.
    func finish(_ session: Session) async throws(VTError)
}

extension LogPrinter {
    var heldBytes: Int { 0 }
}
