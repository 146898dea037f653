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
    /// The line number, from 1.
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
        guard let words = Self.split(rest) else { throw error("unterminated quote") }
        arguments = words
    }

    /// Returns a `data.invalid` error for this line.
    func error(_ message: String) -> VTError {
        VTError(
            .dataInvalid,
            "'\(file)' line \(number): \(message)",
            hint: "vi +\(number) \(ByteString(file).shellQuoted.repairedText)"
        )
    }

    /// Splits text into words at blanks, like `argv_split` in OpenSSH's misc.c; nil if a quote is not closed.
    ///
    /// Blanks within single or double quotes do not separate words. A backslash escapes a quote, a backslash and,
    /// outside quotes, a space. `#` at the start of a word starts a comment.
    private static func split(_ text: Substring) -> [String]? {
        var words: [String] = []
        var rest = text
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" }
            guard let first = rest.first, first != "#" else { return words }
            guard let word = takeWord(&rest) else { return nil }
            words.append(word)
        }
    }

    private static func takeWord(_ rest: inout Substring) -> String? {
        var word = ""
        var quote: Character?
        while let character = rest.first {
            if quote == nil, character == " " || character == "\t" { return word }
            rest.removeFirst()
            if character == "\\", let next = rest.first, "'\"\\".contains(next) || (quote == nil && next == " ") {
                word.append(next)
                rest.removeFirst()
            } else if quote == nil, character == "\"" || character == "'" {
                quote = character
            } else if character == quote {
                quote = nil
            } else {
                word.append(character)
            }
        }
        return quote == nil ? word : nil
    }
}
