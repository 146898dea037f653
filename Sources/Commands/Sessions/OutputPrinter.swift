import Core
import Services
import Synchronization
import Terminal

/// Prints output as the lines of text that a terminal would show or, without a size, as bytes.
final class OutputPrinter: LogPrinter {
    private struct State {
        var renderer: LineRenderer?
        /// Nil if there are no rules.
        var rules: OutputFilter?
        /// Nil unless the bytes are printed on a terminal.
        ///
        /// Queries are removed, because the replies would become input to the user's shell.
        var queries: LiveFilter?

        mutating func process(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
            if renderer != nil { return renderer?.render(&rest) ?? [] }
            defer { rest = [] }
            let bytes = rules?.filter(Array(rest)) ?? Array(rest)
            return queries?.filter(bytes) ?? bytes
        }

        /// Returns an incomplete line, or the bytes that the rules have held back, because no more bytes follow them.
        mutating func finish() -> [UInt8] {
            if renderer != nil { return renderer?.finish() ?? [] }
            let rest = rules?.finish() ?? []
            return queries?.filter(rest) ?? rest
        }
    }

    private let output: any ByteSink
    private let isText: Bool
    private let state: Mutex<State>
    private let diagnostics: any Diagnostics

    /// The rules concern only bytes.
    init(
        _ output: any ByteSink,
        plainFor size: TerminalSize? = nil,
        rules: [OutputFilter.Rule] = [],
        isTerminal: Bool,
        diagnostics: any Diagnostics
    ) {
        self.output = output
        self.diagnostics = diagnostics
        isText = size != nil
        state = Mutex(
            State(
                renderer: size.map { LineRenderer(size: $0) },
                rules: rules.isEmpty ? nil : OutputFilter(rules),
                queries: isTerminal ? LiveFilter(.queries) : nil
            )
        )
    }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let printed = state.withLock { $0.process(&rest) }
            if !printed.isEmpty { try await output.write(printed) }
        }
        return true
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        try await flush(endsLine: isText)
        diagnostics.note("output from offset \(start) to \(end) is not in the log")
    }

    func finish(_ session: Session) async throws(VTError) {
        try await flush(endsLine: false)
    }

    private func flush(endsLine: Bool) async throws(VTError) {
        let rest = state.withLock { $0.finish() }
        if !rest.isEmpty { try await output.write(endsLine ? rest + [UInt8(ascii: "\n")] : rest) }
    }
}
