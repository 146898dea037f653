/// A word on the command line that selects targets.
package enum TargetWord: Hashable, Sendable {
    case target(Target)
    /// The profiles whose names match (see `Wildcard`).
    case pattern(String)
    /// The targets that a file lists; `-` is standard input.
    case file(String)

    /// Parses `@FILE`, a pattern with `*` or `?`, or a target.
    ///
    /// - Throws: `usage` when the text is none of these.
    package init(parsing text: String) throws(VTError) {
        if text.hasPrefix("@") {
            let path = String(text.dropFirst())
            guard !path.isEmpty else {
                throw VTError(.usage, "'@' does not name a file", hint: "use @FILE, or @- for standard input")
            }
            self = .file(path)
        } else if text.utf8.contains(where: { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }) {
            let isPattern = text.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || ProfileName.isNameByte(byte)
            }
            guard isPattern else {
                throw VTError(.usage, "invalid pattern '\(text)'", hint: "a pattern can match only profile names")
            }
            self = .pattern(text)
        } else {
            self = .target(try Target(parsing: text))
        }
    }

    /// The word as `init(parsing:)` accepts it.
    package var text: String {
        switch self {
        case .target(let target): target.text
        case .pattern(let pattern): pattern
        case .file(let path): "@\(path)"
        }
    }

    /// Parses words that are separated by commas; numbers in brackets stand for several profiles (`NameRanges`).
    ///
    /// - Throws: `usage` when one of them is malformed or empty.
    package static func list(_ text: String) throws(VTError) -> [TargetWord] {
        var words: [TargetWord] = []
        var isInBrackets = false
        let parts = text.split(omittingEmptySubsequences: false) { character in
            if character == "[" || character == "]" { isInBrackets = character == "[" }
            return character == "," && !isInBrackets
        }
        for part in parts {
            if let names = try NameRanges.expanded(String(part)) {
                words += names.map { .target(.profile($0)) }
            } else {
                words.append(try TargetWord(parsing: String(part)))
            }
        }
        return words
    }
}
