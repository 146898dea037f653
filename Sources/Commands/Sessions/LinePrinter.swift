import Core
import Services
import Synchronization
import Terminal

/// Prints output as the lines of text that a terminal would show.
final class LinePrinter: LogPrinter {
    private let output: any ByteSink
    private let renderer: Mutex<LineRenderer>
    private let diagnostics: any Diagnostics

    init(_ output: any ByteSink, size: TerminalSize, diagnostics: any Diagnostics) {
        self.output = output
        self.diagnostics = diagnostics
        renderer = Mutex(LineRenderer(size: size))
    }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let text = renderer.withLock { $0.render(&rest) }
            if !text.isEmpty { try await output.write(text) }
        }
        return true
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        let rest = renderer.withLock { $0.finish() }
        if !rest.isEmpty { try await output.write(rest + [UInt8(ascii: "\n")]) }
        diagnostics.note("output from offset \(start) to \(end) is not in the log")
    }

    func finish(_ session: Session) async throws(VTError) {
        let rest = renderer.withLock { $0.finish() }
        if !rest.isEmpty { try await output.write(rest) }
    }
}
