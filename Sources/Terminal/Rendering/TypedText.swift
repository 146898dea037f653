import Core

/// The text that was typed at a prompt, as a terminal shows it.
package enum TypedText {
    /// The rows that editing may need in addition to those of the text.
    private static let spareRows = 24
    private static let rowLimit = 1000

    /// Returns the text between the end of a prompt, where the cursor is, and the row on which the cursor is at the end.
    ///
    /// The prompt begins in the first column. Returns nil if there is no text, or if it does not fit on the screen.
    package static func render(_ output: [UInt8], after prompt: [UInt8], columns: Int) -> String? {
        let lines = (prompt + output).count { $0 == UInt8(ascii: "\n") }
        let rows = spareRows + lines + (prompt.count + output.count) / max(columns, 1)
        guard let size = TerminalSize(columns: columns, rows: min(rows, rowLimit)) else { return nil }
        var emulator = Emulator(size: size, scrollbackBytes: 0)
        emulator.feed(prompt)
        let start = emulator.screen().cursor
        emulator.feed(output)
        let screen = emulator.screen()
        guard screen.cursor.row < size.rows - 1, screen.cursor.row >= start.row else { return nil }
        // The cursor is on the row after the text.
        let last = max(start.row, screen.cursor.row - 1)
        var text = ""
        for (index, row) in screen.rows.enumerated() where (start.row...last).contains(index) {
            text += Self.text(of: row, from: index == start.row ? start.column : 0, columns)
            if !row.isWrapped { text += "\n" }
        }
        while text.last?.isWhitespace ?? false { text.removeLast() }
        while text.first?.isNewline ?? false { text.removeFirst() }
        return text.isEmpty ? nil : text
    }

    private static func text(of row: ScreenRow, from start: Int, _ columns: Int) -> String {
        var (text, column) = ("", 0)
        for cell in row.cells {
            if column >= start { text += cell.shown }
            column += cell.width
        }
        if row.isWrapped, column < columns { text += String(repeating: " ", count: columns - max(column, start)) }
        return text
    }
}
