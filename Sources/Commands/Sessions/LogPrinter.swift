import Core
import Services

/// Prints the output of a session as it arrives.
protocol LogPrinter: OutputReceiver {
    /// Prints the remaining output and, in formats that include it, the state of the session.
    func finish(_ session: Session) async throws(VTError)
}
