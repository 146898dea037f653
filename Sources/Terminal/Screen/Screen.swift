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
    package var isAlternate: Bool
    package var title: String
    /// A URL, as reported by the program.
    package var workingDirectory: String?
    package var promptState: PromptState

    package var isCursorVisible: Bool { modes[.showCursor] }
}
