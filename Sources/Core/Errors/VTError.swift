/// A failure as the user is told of it.
///
/// The message is lower case, without a full stop, its subject in single quotes. It may hold text from outside: who
/// prints it cleans it (`String.sanitized`).
package struct VTError: Error, Hashable, Sendable {
    /// The class: decides the exit status.
    package var code: VTError.Code
    /// What failed first, in one line.
    package var message: String
    /// A command or flag the user can type to get on.
    package var hint: String?
    /// What lies beneath, outermost first; shown with `-v`.
    package var causes: [String]
    /// Whether nothing has happened yet and the same may succeed in a moment.
    package var isTransient: Bool

    package init(
        _ code: VTError.Code,
        _ message: String,
        hint: String? = nil,
        causes: [String] = [],
        isTransient: Bool = false
    ) {
        self.code = code
        self.message = message
        self.hint = hint
        self.causes = causes
        self.isTransient = isTransient
    }
}
