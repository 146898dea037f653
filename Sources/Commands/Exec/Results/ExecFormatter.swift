import Core
import Services

/// Prints the output of several targets.
protocol ExecFormatter: ExecReceiver {
    /// Prints output that was kept until the end.
    func finish() async throws(VTError)
}
