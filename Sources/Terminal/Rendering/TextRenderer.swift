/// Renders a screen as plain text.
package enum TextRenderer {
    /// Returns the rows without trailing blanks, each followed by a line feed, and without blank rows at the end.
    ///
    /// Optionally joins wrapped rows.
    package static func render(_ screen: Screen, joined: Bool = false) -> String {
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
        while text.hasSuffix("\n\n") { text.removeLast() }
        return text == "\n" ? "" : text
    }
}
