import CommandLine
import Core

/// Shows notes on standard error.
package struct ConsoleDiagnostics: Diagnostics {
    private let stream: any ConsoleStream
    private let global: GlobalOptions

    package init(_ stream: any ConsoleStream, global: GlobalOptions) {
        self.stream = stream
        self.global = global
    }

    package func note(_ message: String) {
        guard !global.quiet else { return }
        show(message)
    }

    package func detail(_ message: String) {
        guard global.verbosity > 0 else { return }
        show(message)
    }

    private func show(_ message: String) {
        // A note that cannot be shown does not make the run fail.
        try? stream.write(Array("vt: \(message.sanitized)\n".utf8))
    }
}
