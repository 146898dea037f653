/// An option of ssh_config(5), from a file or the command line.
package struct SSHSetting: Hashable, Sendable {
    /// The name as written.
    package var spelling: String
    /// The words of the value, without quotes and comments.
    package var words: [String]
    /// The value as written, which is the value of options that contain a command.
    package var text: String

    package init(spelling: String, words: [String], text: String) {
        self.spelling = spelling
        self.words = words
        self.text = text
    }

    /// Parses `NAME VALUE` or `NAME=VALUE`; nil if a part is missing or a quote is not closed.
    package init?(parsing line: Substring) {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        let line = line.drop(while: isBlank)
        // Blanks, "=" or both may separate the name and the value.
        let name = line.prefix { !isBlank($0) && $0 != "=" }
        var rest = line.dropFirst(name.count).drop(while: isBlank)
        if rest.first == "=" { rest = rest.dropFirst().drop(while: isBlank) }
        let isQuoted = name.count > 1 && name.first == "\"" && name.last == "\""
        guard !name.isEmpty, !rest.isEmpty, let words = SSHConfigValue.words(rest) else { return nil }
        self.init(spelling: String(isQuoted ? name.dropFirst().dropLast() : name), words: words, text: String(rest))
    }

    /// The name in lower case.
    package var name: String { spelling.lowercased() }

    /// The value of an option that takes one word; text that is not quoted may contain blanks.
    package var value: String {
        words.count == 1 ? words[0] : text
    }
}
