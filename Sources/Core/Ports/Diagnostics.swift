/// Shows the user messages that are not data: notes, details and progress.
package protocol Diagnostics: Sendable {
    /// Prints one line on standard error, unless `--quiet` was given. The message may contain untrusted text;
    /// implementations sanitize it.
    func note(_ message: String)

    /// Prints one line on standard error about a partial failure, even with `--quiet`.
    func failure(_ message: String)

    /// As `failure(_:)`, followed by what the user can do about it.
    func failure(_ message: String, hint: String?)

    /// Prints one line on standard error if `--verbose` was given; otherwise, the message is not evaluated.
    func detail(_ message: @autoclosure () -> String)

    /// Shows the progress of a long operation, on a line that the next message overwrites.
    ///
    /// Progress is shown only on a terminal, and only if the operation takes longer than half a second.
    /// The first occurrence of `failures` in the message is shown as a failure.
    func progress(_ message: String, failures: String?)
}

extension Diagnostics {
    /// By default, failures are notes, which suits implementations that collect messages.
    package func failure(_ message: String) {
        note(message)
    }

    /// By default, the hint follows in parentheses.
    package func failure(_ message: String, hint: String?) {
        failure(hint.map { "\(message) (hint: \($0))" } ?? message)
    }

    /// By default, progress is ignored, which suits implementations that collect messages.
    package func progress(_ message: String, failures: String?) {}

    package func progress(_ message: String) {
        progress(message, failures: nil)
    }
}
