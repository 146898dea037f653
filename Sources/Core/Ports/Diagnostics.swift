/// Shows the user messages that are not data: notes, warnings, progress.
package protocol Diagnostics: Sendable {
    /// Prints one line on standard error, unless `--quiet`. Untrusted text is sanitized here.
    func note(_ message: String)

    /// Prints one line on standard error with `--verbose` only; otherwise the message is not even evaluated.
    func detail(_ message: @autoclosure () -> String)

    /// Shows the progress of long work, in a line that is overwritten by the next one.
    ///
    /// Only shown on a terminal, and only if the work takes more than a moment.
    func progress(_ message: String)
}

extension Diagnostics {
    /// Ignores progress, for implementations that collect messages.
    package func progress(_ message: String) {}
}
