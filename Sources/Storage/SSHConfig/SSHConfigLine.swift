import Core

/// A parsed line of an ssh_config(5) file.
struct SSHConfigLine: Hashable {
    let setting: SSHSetting
    let file: String
    /// The line number, starting at 1.
    let number: Int

    /// Returns nil for a blank line or a comment.
    ///
    /// - Throws: `data.invalid` when the keyword has no value, or a quote is not closed.
    init?(_ text: Substring, file: String, number: Int) throws(VTError) {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        guard let first = text.first, first != "#" else { return nil }
        self.file = file
        self.number = number
        guard let setting = SSHSetting(parsing: text) else {
            self.setting = SSHSetting(spelling: String(text), words: [], text: "")
            throw error("expected a keyword and a value, with all quotes closed")
        }
        self.setting = setting
    }

    /// The keyword in lower case.
    var keyword: String { setting.name }

    /// The keyword as written.
    var spelling: String { setting.spelling }

    /// The words after the keyword, without quotes and comments.
    var arguments: [String] { setting.words }

    /// The text after the keyword as written; used for commands.
    var rest: String { setting.text }

    /// Returns a `data.invalid` error for this line.
    func error(_ message: String) -> VTError {
        VTError(
            .dataInvalid,
            "'\(file)' line \(number): \(message)",
            hint: "correct or remove the line: vi +\(number) \(ByteString(file).shellQuoted.repairedText)"
        )
    }
}
