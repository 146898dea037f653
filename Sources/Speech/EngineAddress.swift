import Core

/// Where speech becomes text: `http://HOST/PATH`, `https://HOST/PATH` or `command:WORDS`.
package enum EngineAddress: Hashable, Sendable {
    case server(HTTPAddress)
    case program(ProgramTemplate)

    private static let programScheme = "command:"

    /// - Throws: `usage`.
    package init(parsing text: String) throws(VTError) {
        if text.hasPrefix(Self.programScheme) {
            self = .program(try ProgramTemplate(parsing: String(text.dropFirst(Self.programScheme.count))))
        } else {
            self = .server(try Self.server(text))
        }
    }

    private static func server(_ text: String) throws(VTError) -> HTTPAddress {
        do throws(VTError) {
            return try HTTPAddress(parsing: text)
        } catch {
            var error = error
            error.message = "invalid engine: \(error.message)"
            error.hint = "use http://HOST[:PORT]/PATH, https://HOST[:PORT]/PATH or 'command:PROGRAM ...'"
            throw error
        }
    }

    /// The address without a server's query, which can contain a secret.
    package var text: String {
        switch self {
        case .server(let server): server.description
        case .program(let program): Self.programScheme + program.text
        }
    }
}

/// The words of a program, with placeholders for what it is given.
package struct ProgramTemplate: Hashable, Sendable {
    package enum Placeholder: String, CaseIterable, Sendable {
        /// The path of the audio.
        case file = "{file}"
        /// The path of a grammar of the phrases.
        case grammar = "{grammar}"
        /// The code of the language.
        case language = "{language}"
    }

    /// The command as the user typed it.
    package let text: String
    private let words: [String]

    /// - Throws: `usage` when the text is invalid, or has no program or no `{file}`.
    init(parsing text: String) throws(VTError) {
        self.text = text
        words = try ShellWords(splitting: text).words
        guard let program = words.first, !program.isEmpty, !program.contains("{") else {
            throw VTError(.usage, "invalid engine: no program in '\(text)'")
        }
        guard uses(.file) else {
            throw VTError(.usage, "invalid engine: '\(text)' does not contain {file}")
        }
    }

    /// The name of the program.
    var program: String { words[0] }

    package func uses(_ placeholder: Placeholder) -> Bool {
        words.contains { $0.contains(placeholder.rawValue) }
    }

    /// Returns the arguments, starting with the program; what replaces a placeholder is not examined again.
    func arguments(_ values: [Placeholder: String]) -> [ByteString] {
        words.map { word in
            var (result, rest) = ("", word[...])
            while let brace = rest.firstIndex(of: "{") {
                result += rest[..<brace]
                rest = rest[brace...]
                if let (placeholder, value) = values.first(where: { rest.hasPrefix($0.key.rawValue) }) {
                    result += value
                    rest = rest.dropFirst(placeholder.rawValue.count)
                } else {
                    result.append(rest.removeFirst())
                }
            }
            return ByteString(result + rest)
        }
    }
}
