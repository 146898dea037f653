import Arguments
import Core

/// Prints notes, details and progress on standard error.
package struct ConsoleDiagnostics: Diagnostics {
    private let stream: any StandardOutput
    private let global: GlobalOptions
    private let line: ProgressLine
    private let isServer: Bool

    /// With `isServer`, messages are dropped if printing them would block.
    package init(_ console: Console, global: GlobalOptions, isServer: Bool = false) {
        stream = console.errorOutput
        self.global = global
        self.isServer = isServer
        line = console.progressLine
    }

    package func note(_ message: String) {
        guard !global.quiet else { return }
        show(message)
    }

    package func failure(_ message: String) {
        show(message)
    }

    package func failure(_ message: String, hint: String?) {
        show(message, hint: hint)
    }

    package func detail(_ message: @autoclosure () -> String) {
        guard global.verbosity > 0 else { return }
        show(message())
    }

    package func progress(_ message: String) {
        guard !global.quiet else { return }
        line.show(message)
    }

    private func show(_ message: String, hint: String? = nil) {
        let hint = hint.map { "hint: \($0.sanitized)\n" } ?? ""
        let bytes = Array("vt: \(message.sanitized)\n\(hint)".utf8)
        // A failure to print a note is not a failure of the run.
        if isServer { _ = try? stream.offer(bytes) } else { try? stream.write(bytes) }
    }
}
