/// A program that runs commands at a far end over its standard streams, such as `docker exec -i box`.
package struct ViaCommand: Hashable, Sendable {
    /// Where the program expects the command.
    private enum Place: Hashable, Sendable {
        /// The command's words replace the word with this index.
        case words(at: Int)
        /// The command line replaces each `{line}`.
        case line
    }

    /// The command as the user typed it.
    package let text: String
    private let words: [String]
    private let place: Place

    private static let wordsMark = "{argv}"
    private static let lineMark = "{line}"

    /// Splits the text as `ShellWords` does, and finds the placeholder for the command: `{argv}` as a separate word, or
    /// `{line}`, which can be part of a word; without either, the command's words are appended.
    ///
    /// - Throws: `usage` when the text is invalid or empty, or uses `{argv}` more than once or together with `{line}`.
    package init(parsing text: String) throws(VTError) {
        self.text = text
        let words = try ShellWords(splitting: text).words
        let places = words.indices.filter { words[$0] == Self.wordsMark }
        let takesLine = words.contains { $0.contains(Self.lineMark) }
        guard let program = words.first, !program.isEmpty, !program.contains(Self.lineMark), places.first != 0 else {
            throw VTError(.usage, "no program in '\(text)'")
        }
        guard !words.contains(where: { $0 != Self.wordsMark && $0.contains(Self.wordsMark) }) else {
            throw VTError(
                .usage,
                "{argv} is part of a word in '\(text)'",
                hint: "use {line} to insert the command as one word"
            )
        }
        guard places.count <= 1, places.isEmpty || !takesLine else {
            throw VTError(.usage, "'\(text)' uses {argv} more than once, or together with {line}")
        }
        self.words = words
        place = takesLine ? .line : .words(at: places.first ?? words.endIndex)
    }

    /// The name of the program, for messages.
    package var program: String { words[0] }

    /// Whether the program passes on a command line, which a login shell at the far end usually interprets.
    package var takesLine: Bool { place == .line }

    /// Returns the arguments, starting with the program, that run a command given in both forms.
    package func arguments(running command: [ByteString], line: ByteString) -> [ByteString] {
        switch place {
        case .words(let index):
            let before = words[..<index].map { ByteString($0) }
            return before + command + words[index...].dropFirst().map { ByteString($0) }
        case .line:
            return words.map { word in
                var parts = word.split(separator: Self.lineMark, omittingEmptySubsequences: false)[...]
                var result = ByteString(parts.popFirst() ?? "")
                for part in parts { result = result + line + ByteString(part) }
                return result
            }
        }
    }
}

extension ViaCommand: RawRepresentable, JSONReadable {
    package init?(rawValue: String) {
        guard let command = try? Self(parsing: rawValue) else { return nil }
        self = command
    }

    package var rawValue: String { text }
}
