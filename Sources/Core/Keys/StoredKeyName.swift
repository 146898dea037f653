/// The name of a key that vt keeps: formed like a profile name, but not ending in `.pub`, the suffix of public key
/// files.
package struct StoredKeyName: Hashable, Sendable {
    package let text: String

    package static let publicSuffix = ".pub"

    /// - Throws: `usage` when the text is not a valid name.
    package init(_ text: String) throws(VTError) {
        guard Self.isWellFormed(text) else {
            throw VTError(
                .usage,
                "invalid key name '\(text)'",
                hint: "use 1 to 64 of the characters A-Z a-z 0-9 . _ -, start with a letter, a digit or _, "
                    + "and do not end with \(Self.publicSuffix)"
            )
        }
        self.text = text
    }

    package static func isWellFormed(_ text: String) -> Bool {
        ProfileName.isWellFormed(text) && !text.hasSuffix(publicSuffix)
    }
}
