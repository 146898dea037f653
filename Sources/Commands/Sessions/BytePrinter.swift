import Core
import Services
import Synchronization

/// Shows output as it is, or without what only terminals understand.
final class BytePrinter: LogPrinter {
    private let output: any ByteSink
    /// Nil: as it is.
    private let filter: Mutex<PlainTextFilter?>
    private let diagnostics: any Diagnostics

    init(_ output: any ByteSink, isPlain: Bool, diagnostics: any Diagnostics) {
        self.output = output
        self.diagnostics = diagnostics
        filter = Mutex(isPlain ? PlainTextFilter() : nil)
    }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        try await output.write(filter.withLock { $0?.filter(bytes) ?? bytes })
        return true
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        diagnostics.note("the output from offset \(start) to \(end) is not kept")
    }

    func finish(_ session: SessionRecord) async throws(VTError) {}
}
