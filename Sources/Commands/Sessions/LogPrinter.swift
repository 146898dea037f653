import Core
import Services

/// Prints the output of a session as it arrives.
protocol LogPrinter: OutputReceiver {
    /// The number of bytes at the end of the output so far that have not been printed, because they may be incomplete.
    var heldBytes: Int { get }

    /// Prints the remaining output and, in formats that include it, the state of the session.
    func finish(_ session: Session) async throws(VTError)

    /// Prints the output that has been held because it may be incomplete.
    func flush() async throws(VTError)
}

extension LogPrinter {
    var heldBytes: Int { 0 }

    /// Performs `body`, which passes on the output; if it fails or is interrupted, the output so far is printed completely.
    func printing<Result: Sendable>(
        on clock: any Clock<Duration>,
        _ body: () async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        do throws(VTError) {
            return try await body()
        } catch {
            // What cannot be printed any more is not reported: the run fails in any case.
            try? await RunQueues.write(after: error, on: clock) { () async throws(VTError) in try await self.flush() }
            throw error
        }
    }
}
