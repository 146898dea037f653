/// Recognizes values that can be part of a shell command without quoting.
package enum ShellSafety {
    /// Characters that are special in a shell; untrusted host or user names that contain them could run commands.
    ///
    /// Since version 9.6, ssh(1) has rejected all of them in host names and most of them in user names. The set
    /// contains scalars, because a shell reads bytes: to a shell, `;` with a combining mark is still `;`.
    private static let unsafe = Set("'`\"$\\;&<>|(){} \t\n".unicodeScalars)

    /// Whether the value contains no character that is special in a shell, and cannot be taken for an option.
    package static func isSafe(_ value: String) -> Bool {
        value.unicodeScalars.first != "-" && !value.unicodeScalars.contains(where: unsafe.contains)
    }
}
