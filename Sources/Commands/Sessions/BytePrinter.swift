import Core
import Services
import Synchronization
import Terminal

/// Prints output unchanged, except that queries are removed on a terminal, because the replies would become input to
/// the user's shell.
final class BytePrinter: LogPrinter {
    private let output: any ByteSink
    private let diagnostics: any Diagnostics
    /// Nil if standard output is not a terminal.
    private let filter: Mutex<LiveFilter?>

    init(_ output: any ByteSink, isTerminal: Bool, diagnostics: any Diagnostics) {
        self.output = output
        self.diagnostics = diagnostics
        filter = Mutex(isTerminal ? LiveFilter(.queries) : nil)
    }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        try await output.write(filter.withLock { $0?.filter(bytes) } ?? bytes)
        return true
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        diagnostics.note("output from offset \(start) to \(end) is not in the log")
    }

    func finish(_ session: Session) async throws(VTError) {}
}
