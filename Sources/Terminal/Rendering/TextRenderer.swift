/// Writes a screen as plain text.
package enum TextRenderer {
    /// Returns the rows, each with a line feed after it, without what is blank at their ends.
    ///
    /// Rows that wrapped may be joined to the one line that they are, blank rows at the end be left out.
    package static func render(_ screen: Screen, joined: Bool = false, trimmed: Bool = true) -> String {
        var text = ""
        var line = ""
        let rows = screen.scrollback + screen.rows
        for (index, row) in rows.enumerated() {
            if joined, row.isWrapped, index < rows.count - 1 {
                for cell in row.cells { line += cell.shown }
                continue
            }
            text += line + row.text + "\n"
            line = ""
        }
        guard trimmed else { return text }
        while text.hasSuffix("\n\n") { text.removeLast() }
        return text == "\n" ? "" : text
    }
}
