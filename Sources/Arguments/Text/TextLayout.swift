/// Formats plain text in 80 columns.
///
/// All text in the command table is ASCII, so one byte is one column.
enum TextLayout {
    static let width = 80
    /// The maximum start column of descriptions in a list.
    private static let secondColumnLimit = 32

    /// Wraps text at spaces; the first line starts with `first`, the others with `indent` spaces.
    static func wrapped(_ text: String, first: String = "", indent: Int = 0) -> [String] {
        var lines: [String] = []
        var line = first
        var isEmpty = true
        for word in text.split(separator: " ") {
            if !isEmpty, line.utf8.count + 1 + word.utf8.count > width {
                lines.append(line)
                line = String(repeating: " ", count: indent)
                isEmpty = true
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return lines + [line]
    }

    /// Formats paragraphs with blank lines between them; an indented one is a line of input, and is not wrapped.
    static func paragraphs(_ texts: [String], indent: Int = 0) -> [String] {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var followsInput = false
        for text in texts {
            let isInput = text.hasPrefix("    ")
            if !lines.isEmpty, !(isInput && followsInput) { lines.append("") }
            lines += isInput ? [margin + text] : wrapped(text, first: margin, indent: indent)
            followsInput = isInput
        }
        return lines
    }

    /// Returns the start column of the descriptions in a list of these names.
    static func secondColumn(of names: [String]) -> Int {
        names.map { $0.utf8.count + 4 }.filter { $0 <= secondColumnLimit }.max() ?? secondColumnLimit
    }

    /// Formats names with their descriptions; a name too long for its column gets its own line.
    ///
    /// Lists with the same `column` are aligned; by default, the column is as far left as the names allow.
    static func list(_ entries: [(name: String, text: String)], column: Int? = nil) -> [String] {
        let names = entries.map { "  \($0.name)" }
        let column = column ?? secondColumn(of: entries.map(\.name))
        var lines: [String] = []
        for (name, entry) in zip(names, entries) {
            let gap = column - name.utf8.count
            if gap < 2 { lines.append(name) }
            let first = gap < 2 ? String(repeating: " ", count: column) : name + String(repeating: " ", count: gap)
            lines += wrapped(entry.text, first: first, indent: column)
        }
        return lines
    }
}
