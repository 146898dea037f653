/// Tells the user what is not data: notes, warnings, progress.
package protocol Diagnostics: Sendable {
    /// Shows one line on standard error, unless `--quiet`. Text from outside is cleaned here.
    func note(_ message: String)

    /// Shows one line on standard error with `--verbose` only; without it the message is not even made.
    func detail(_ message: @autoclosure () -> String)

    /// Shows how far long work is, in a line that the next one replaces.
    ///
    /// Only a person at a terminal sees it, and only when the work does not end within a moment.
    func progress(_ message: String)
}

extension Diagnostics {
    /// Whoever keeps notes for later has no use for progress.
    package func progress(_ message: String) {}
}
