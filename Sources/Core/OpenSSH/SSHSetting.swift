/// An option of ssh_config(5), from a file or the command line.
package struct SSHSetting: Hashable, Sendable {
    /// The name as written.
    package var spelling: String
    /// The words of the value, without quotes and comments.
    package var words: [String]
    /// The value as written, which is the value of options that contain a command.
    package var text: String
    /// The line of a file; nil for an option of the command line.
    package var place: Place?

    /// A line of a file.
    package struct Place: Hashable, Sendable {
        package var file: String
        /// The line number, starting at 1.
        package var line: Int

        package init(file: String, line: Int) {
            self.file = file
            self.line = line
        }

        /// Returns a `data.invalid` error for this line.
        package func error(_ message: String) -> VTError {
            VTError(
                .dataInvalid,
                "'\(file)' line \(line): \(message)",
                hint: "correct or remove the line: vi +\(line) \(ByteString(file).shellQuoted.repairedText)"
            )
        }
    }

    /// Parses `NAME VALUE` or `NAME=VALUE`; nil if a part is missing or a quote is not closed.
    package init?(parsing line: Substring, at place: Place? = nil) {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        let line = line.drop(while: isBlank)
        // Blanks, "=" or both may separate the name and the value.
        let name = line.prefix { !isBlank($0) && $0 != "=" }
        var rest = line.dropFirst(name.count).drop(while: isBlank)
        if rest.first == "=" { rest = rest.dropFirst().drop(while: isBlank) }
        let isQuoted = name.count > 1 && name.first == "\"" && name.last == "\""
        guard !name.isEmpty, !rest.isEmpty, let words = SSHConfigValue.words(rest) else { return nil }
        spelling = String(isQuoted ? name.dropFirst().dropLast() : name)
        self.words = words
        text = String(rest)
        self.place = place
    }

    /// The name in lower case.
    package var name: String { spelling.lowercased() }

    /// The value of an option that takes one word; text that is not quoted may contain blanks.
    package var value: String {
        words.count == 1 ? words[0] : text
    }

    /// The value of an option that takes `yes` or `no`; nil if it is malformed.
    var flag: Bool? { SSHConfigValue.flag(value) }

    /// The value of an option that takes the rest of a line, where quotes and comments are part of it.
    var rest: String { place == nil ? value : text }

    // MARK: - Errors

    /// Returns a `data.invalid` error with file and line, or a `usage` error for an option of the command line.
    package func error(_ message: String) -> VTError {
        place?.error(message) ?? VTError(.usage, message, hint: "see ssh_config(5)")
    }

    package func malformed() -> VTError {
        error("invalid value '\(value)' for '\(spelling)'")
    }

    func refused() -> VTError {
        VTError(.usage, "cannot set '\(spelling)=\(value)': not supported by vt")
    }
}
