import Core
import Services

/// Shows the output of a session as it comes.
protocol LogPrinter: OutputReceiver {
    /// Shows what is left, and how the session stands.
    func finish(_ session: Session) async throws(VTError)
}
