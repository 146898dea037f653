import Core
import Services

/// Shows output as it is.
struct BytePrinter: LogPrinter {
    private let output: any ByteSink
    private let diagnostics: any Diagnostics

    init(_ output: any ByteSink, diagnostics: any Diagnostics) {
        self.output = output
        self.diagnostics = diagnostics
    }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        try await output.write(bytes)
        return true
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        diagnostics.note("the output from offset \(start) to \(end) is not kept")
    }

    func finish(_ session: SessionRecord) async throws(VTError) {}
}
