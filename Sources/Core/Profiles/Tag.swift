/// Tags of profiles and sessions.
package enum Tag {
    /// Returns the tag: 1–64 bytes without spaces, commas or control characters.
    ///
    /// - Throws: `usage` when the text is not a valid tag.
    package static func parse(_ text: String) throws(VTError) -> String {
        let isPlain = text == text.sanitized && !text.contains { $0.isWhitespace || $0 == "," }
        guard isPlain, (1...64).contains(text.utf8.count) else {
            throw VTError(.usage, "invalid tag '\(text)'", hint: "use at most 64 bytes, without spaces or commas")
        }
        return text
    }
}
