import Core

/// A parsed line of an ssh_config(5) file.
struct SSHConfigLine: Hashable {
    /// The keyword in lower case.
    var keyword: String
    /// The keyword as written.
    var spelling: String
    /// The words after the keyword, without quotes and comments.
    var arguments: [String]
    /// The text after the keyword as written; used for commands.
    var rest: String
    var file: String
    /// The line number, starting at 1.
    var number: Int

    /// Returns nil for a blank line or a comment.
    ///
    /// - Throws: `data.invalid` when the keyword has no value, or a quote is not closed.
    init?(_ text: Substring, file: String, number: Int) throws(VTError) {
        let blanks: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var text = text.drop(while: blanks)
        while let last = text.last, last.isWhitespace { text.removeLast() }
        guard let first = text.first, first != "#" else { return nil }
        // Blanks, "=" or both may separate the keyword and the value.
        let word = text.prefix { !blanks($0) && $0 != "=" }
        var rest = text.dropFirst(word.count).drop(while: blanks)
        if rest.first == "=" { rest = rest.dropFirst().drop(while: blanks) }
        spelling =
            word.count > 1 && word.first == "\"" && word.last == "\""
            ? String(word.dropFirst().dropLast()) : String(word)
        keyword = spelling.lowercased()
        self.rest = String(rest)
        self.file = file
        self.number = number
        arguments = []
        guard !rest.isEmpty else { throw error("'\(spelling)' has no value") }
        guard let words = SSHConfigValue.words(rest) else { throw error("unterminated quote") }
        arguments = words
    }

    /// Returns a `data.invalid` error for this line.
    func error(_ message: String) -> VTError {
        VTError(
            .dataInvalid,
            "'\(file)' line \(number): \(message)",
            hint: "correct or remove the line: vi +\(number) \(ByteString(file).shellQuoted.repairedText)"
        )
    }
}
