/// Words split like the words of a command in sh(1), but without expansions.
///
/// Blanks separate words; quotes and backslashes have their usual meaning (POSIX.1-2024, XCU 2.2). All other
/// characters stand for themselves: there are no variables, patterns, redirections or comments.
package struct ShellWords: Hashable, Sendable {
    package let words: [String]

    /// - Throws: `usage` for an unclosed quote, and for a backslash at the end.
    package init(splitting text: String) throws(VTError) {
        var words: [String] = []
        // Nil between words; the word '' is an empty string.
        var word: String?
        var rest = text.unicodeScalars[...]
        while let next = rest.popFirst() {
            switch next {
            case " ", "\t", "\n":
                if let word { words.append(word) }
                word = nil
            case "'":
                word = try (word ?? "") + Self.quoted(&rest, in: text)
            case "\"":
                word = try (word ?? "") + Self.doublyQuoted(&rest, in: text)
            case "\\":
                guard let literal = rest.popFirst() else {
                    throw VTError(.usage, "backslash at the end of '\(text)'")
                }
                // A line continuation.
                if literal != "\n" { word = (word ?? "") + String(literal) }
            default:
                word = (word ?? "") + String(next)
            }
        }
        if let word { words.append(word) }
        self.words = words
    }

    /// Reads up to the closing single quote.
    private static func quoted(
        _ rest: inout Substring.UnicodeScalarView,
        in text: String
    ) throws(VTError) -> String {
        guard let end = rest.firstIndex(of: "'") else { throw unclosed(in: text) }
        defer { rest = rest[rest.index(after: end)...] }
        return String(rest[..<end])
    }

    /// Reads up to the closing double quote; a backslash is special only before characters that are special there.
    private static func doublyQuoted(
        _ rest: inout Substring.UnicodeScalarView,
        in text: String
    ) throws(VTError) -> String {
        var result = ""
        while let next = rest.popFirst() {
            switch next {
            case "\"":
                return result
            case "\\":
                guard let literal = rest.popFirst() else { throw unclosed(in: text) }
                switch literal {
                case "\n": break
                case "$", "`", "\"", "\\": result.unicodeScalars.append(literal)
                default: result += "\\" + String(literal)
                }
            default:
                result.unicodeScalars.append(next)
            }
        }
        throw unclosed(in: text)
    }

    private static func unclosed(in text: String) -> VTError {
        VTError(.usage, "unclosed quote in '\(text)'")
    }
}
