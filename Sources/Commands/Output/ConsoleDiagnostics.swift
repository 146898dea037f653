import Arguments
import Core

/// Prints notes, details and progress on standard error.
package struct ConsoleDiagnostics: Diagnostics {
    private let stream: any StandardOutput
    private let global: GlobalOptions
    private let line: ProgressLine
    private let style: OutputStyle
    private let isServer: Bool

    /// With `isServer`, messages are dropped if printing them would block.
    package init(_ console: Console, global: GlobalOptions, isServer: Bool = false) {
        stream = console.errorOutput
        self.global = global
        self.isServer = isServer
        line = console.progressLine
        style = console.style(global.color, of: console.errorOutput)
    }

    package func note(_ message: String) {
        guard !global.quiet else { return }
        show(message)
    }

    package func failure(_ message: String) {
        show(message, isFailure: true)
    }

    package func failure(_ message: String, hint: String?) {
        show(message, hint: hint, isFailure: true)
    }

    package func detail(_ message: @autoclosure () -> String) {
        guard global.verbosity > 0 else { return }
        show(message())
    }

    package func progress(_ message: String, failures: String?) {
        guard !global.quiet else { return }
        line.show(message, failures: failures, in: style)
    }

    private func show(_ message: String, hint: String? = nil, isFailure: Bool = false) {
        let hint = hint.map { "hint: \($0.sanitized)\n" } ?? ""
        let message = "vt: \(message.sanitized)"
        let bytes = Array("\(isFailure ? style.red(message) : message)\n\(hint)".utf8)
        // A failure to print a note is not a failure of the run.
        if isServer { _ = try? stream.offer(bytes) } else { try? stream.write(bytes) }
    }
}
