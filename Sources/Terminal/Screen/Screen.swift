import Core

/// A snapshot of a terminal's contents, for rendering and comparison.
package struct Screen: Hashable, Sendable {
    package struct Position: Hashable, Sendable {
        /// The column, numbered from 0.
        package var column: Int
        /// The row, from 0 at the top of the screen.
        package var row: Int
        /// Whether the last column has been written, so the next character starts a new row.
        package var isWrapPending: Bool
    }

    package var size: TerminalSize
    /// The rows that have left the screen, oldest first, up to the requested number.
    package var scrollback: [ScreenRow]
    package var rows: [ScreenRow]
    package var cursor: Position
    package var cursorShape: CursorShape
    package var modes: Modes
    /// The flags of kitty's keyboard protocol that are in effect.
    package var keyboardFlags: KeyboardFlags
    /// The colors set by the program.
    package var colors: TerminalColors
    package var isAlternate: Bool
    package var title: String
    /// A URL, as reported by the program.
    package var workingDirectory: String?
    package var promptState: PromptState

    package var isCursorVisible: Bool { modes[.showCursor] }

    /// Whether the cursor is in a row with characters of double width.
    var isCursorRowWide: Bool { rows.indices.contains(cursor.row) && rows[cursor.row].size != .single }

    /// The visible part of the screen on a terminal of a different size: padded with blanks if the terminal is larger,
    /// and without other state such as the title.
    package func picture(of size: TerminalSize) -> Screen {
        var screen = self
        screen.size = size
        let blank = ScreenRow(cells: [], isWrapped: false, marks: [], size: .single)
        screen.rows = Array(rows.prefix(size.rows))
        screen.rows += repeatElement(blank, count: size.rows - screen.rows.count)
        screen.title = ""
        screen.workingDirectory = nil
        screen.promptState = PromptState()
        return screen
    }
}
