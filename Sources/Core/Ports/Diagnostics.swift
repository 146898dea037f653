/// Tells the user what is not data: notes, warnings, progress.
package protocol Diagnostics: Sendable {
    /// Shows one line on standard error, unless `--quiet`. Text from outside is cleaned here.
    func note(_ message: String)

    /// Shows one line on standard error with `--verbose` only.
    func detail(_ message: String)
}
