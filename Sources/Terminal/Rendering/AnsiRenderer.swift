/// Renders a screen as text with colors, for a terminal.
package enum AnsiRenderer {
    /// Returns the rows, each ending with a reset of the style and a line feed; no other terminal state is changed.
    ///
    /// Omits blank rows at the end, and optionally joins wrapped rows.
    package static func render(_ screen: Screen, joined: Bool = false) -> String {
        var writer = AnsiWriter()
        var rows = screen.scrollback + screen.rows
        while let last = rows.last, last.cells.isEmpty { rows.removeLast() }
        for (index, row) in rows.enumerated() {
            _ = writer.cells(row.cells, gap: .spaces)
            if joined, row.isWrapped, index < rows.count - 1 { continue }
            writer.select(.plain, nil)
            writer.write("\n")
        }
        writer.select(.plain, nil)
        return writer.text
    }
}
