import Core
import Services
import Synchronization
import Terminal

/// Prints output unchanged, or as much of it as the rules of a filter leave.
///
/// On a terminal, queries are removed, because the replies would become input to the user's shell.
final class BytePrinter: LogPrinter {
    private let output: any ByteSink
    private let diagnostics: any Diagnostics
    private struct Filters {
        /// Nil if there are no rules.
        var rules: OutputFilter?
        /// Nil if standard output is not a terminal.
        var queries: LiveFilter?

        mutating func filter(_ bytes: [UInt8]) -> [UInt8] {
            let bytes = rules?.filter(bytes) ?? bytes
            return queries?.filter(bytes) ?? bytes
        }

        /// Returns the bytes that the rules have held back, because no more bytes follow them.
        mutating func finish() -> [UInt8] {
            let rest = rules?.finish() ?? []
            return queries?.filter(rest) ?? rest
        }
    }

    private let filters: Mutex<Filters>

    init(
        _ output: any ByteSink,
        rules: [OutputFilter.Rule] = [],
        isTerminal: Bool,
        diagnostics: any Diagnostics
    ) {
        self.output = output
        self.diagnostics = diagnostics
        filters = Mutex(
            Filters(
                rules: rules.isEmpty ? nil : OutputFilter(rules),
                queries: isTerminal ? LiveFilter(.queries) : nil
            )
        )
    }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        try await output.write(filters.withLock { $0.filter(bytes) })
        return true
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        try await flush()
        diagnostics.note("output from offset \(start) to \(end) is not in the log")
    }

    func finish(_ session: Session) async throws(VTError) {
        try await flush()
    }

    private func flush() async throws(VTError) {
        let rest = filters.withLock { $0.finish() }
        if !rest.isEmpty { try await output.write(rest) }
    }
}
