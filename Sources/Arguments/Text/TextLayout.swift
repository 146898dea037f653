/// Lays out plain text in lines of 80 columns.
///
/// The text of the table is ASCII, so columns are bytes.
enum TextLayout {
    static let width = 80
    /// Where the second column of a list begins at most.
    private static let secondColumnLimit = 32

    /// Breaks text at spaces; the first line begins with `first`, the others with as many spaces as `indent` says.
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

    /// Lays out a paragraph; one that is indented is a line to type, and stays one.
    static func paragraph(_ text: String) -> [String] {
        text.hasPrefix("    ") ? [text] : wrapped(text)
    }

    /// Lists names with their explanations beside them; a name too long for its column has a line of its own.
    static func list(_ entries: [(name: String, text: String)]) -> [String] {
        let names = entries.map { "  \($0.name)" }
        let fitting = names.map { $0.utf8.count + 2 }.filter { $0 <= secondColumnLimit }
        let column = fitting.max() ?? secondColumnLimit
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
