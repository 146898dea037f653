import Core

/// What a terminal shows, as a value that needs no terminal: for renderers, and for whoever compares.
package struct Screen: Hashable, Sendable {
    package struct Position: Hashable, Sendable {
        /// Counted from 0.
        package var column: Int
        /// Counted from 0 at the top of the screen.
        package var row: Int
        /// The last column was written: the next character begins a new row.
        package var isWrapPending: Bool
    }

    package var size: TerminalSize
    /// Rows that left the screen, oldest first; as many as were asked for.
    package var scrollback: [ScreenRow]
    package var rows: [ScreenRow]
    package var cursor: Position
    package var cursorShape: CursorShape
    package var modes: Modes
    package var isAlternate: Bool
    package var title: String
    /// A URL, as the program told it.
    package var workingDirectory: String?
    package var promptState: PromptState

    package var isCursorVisible: Bool { modes[.showCursor] }
}

/// A row of a screen.
package struct ScreenRow: Hashable, Sendable {
    /// Up to the last that is not blank.
    package var cells: [ScreenCell]
    /// The next row goes on with the same line.
    package var isWrapped: Bool
    /// Marks of OSC 133 on this row.
    package var marks: PromptMarks
    package var size: Size

    package enum Size: String, Sendable {
        case single
        case doubleWidth = "double-width"
        case doubleTop = "double-top"
        case doubleBottom = "double-bottom"
    }

    /// What begins on a row.
    package struct PromptMarks: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let prompt = PromptMarks(rawValue: 1)
        package static let input = PromptMarks(rawValue: 2)
        package static let output = PromptMarks(rawValue: 4)
        package static let end = PromptMarks(rawValue: 8)
    }

    /// The text of the row without what is blank at its end.
    package var text: String {
        var text = ""
        for cell in cells { text += cell.shown }
        while text.last == " " { text.removeLast() }
        return text
    }
}

/// A character of a screen, with all the cells that it takes.
package struct ScreenCell: Hashable, Sendable {
    /// Empty where nothing was written.
    package var text: String
    /// 1 or 2.
    package var width: Int
    package var style: Style
    package var link: Link?

    package init(text: String, width: Int, style: Style, link: Link?) {
        (self.text, self.width, self.style, self.link) = (text, width, style, link)
    }

    /// The text, a space where nothing was written.
    package var shown: String { text.isEmpty ? " " : text }
}

/// Neighbouring characters of a row that look the same.
package struct ScreenRun: Hashable, Sendable {
    package var column: Int
    package var width: Int
    package var text: String
    package var style: Style
    package var link: Link?

    /// Whether it is one character of two cells.
    var isWide: Bool { width == 2 && text.count == 1 }
}

extension ScreenRow {
    /// The cells joined where they look the same; characters that are to be apart are each a run of their own.
    package func runs(apart: (ScreenCell) -> Bool = { _ in false }) -> [ScreenRun] {
        var runs: [ScreenRun] = []
        var column = 0
        var isOpen = false
        for cell in cells {
            if isOpen, let last = runs.last, last.style == cell.style, last.link == cell.link, !apart(cell) {
                runs[runs.count - 1].text += cell.shown
                runs[runs.count - 1].width += cell.width
            } else {
                runs.append(
                    ScreenRun(column: column, width: cell.width, text: cell.shown, style: cell.style, link: cell.link)
                )
            }
            isOpen = !apart(cell)
            column += cell.width
        }
        return runs
    }
}
