import Core
import Services

/// Shows what several targets give.
protocol ExecFormatter: ExecReceiver {
    /// Shows what was kept to the end.
    func finish() async throws(VTError)
}
