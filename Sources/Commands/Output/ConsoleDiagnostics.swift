import Arguments
import Core

/// Prints notes, details and progress on standard error.
package struct ConsoleDiagnostics: Diagnostics {
    private let stream: any StandardOutput
    private let global: GlobalOptions
    private let line: ProgressLine

    package init(_ console: Console, global: GlobalOptions) {
        stream = console.errorOutput
        self.global = global
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
        // A failure to print a note is not a failure of the run.
        try? stream.write(Array("vt: \(message.sanitized)\n\(hint)".utf8))
    }
}
