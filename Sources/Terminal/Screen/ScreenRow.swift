import Core

/// A row of a screen.
package struct ScreenRow: Hashable, Sendable {
    /// The cells up to the last non-blank one.
    package var cells: [ScreenCell]
    /// Whether the line continues on the next row.
    package var isWrapped: Bool
    /// The OSC 133 marks on this row.
    package var marks: PromptMarks
    package var size: Size

    package enum Size: String, Sendable {
        case single
        case doubleWidth = "double-width"
        case doubleTop = "double-top"
        case doubleBottom = "double-bottom"
    }

    /// The parts of a prompt that start on a row, and whether a command has ended on it.
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

    /// The text of the row without trailing blanks.
    package var text: String {
        var text = ""
        for cell in cells { text += cell.shown }
        while text.last == " " { text.removeLast() }
        return text
    }
}

extension ScreenRow {
    /// Groups adjacent cells with the same style; characters for which `apart` returns true are separate runs.
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

/// A character on a screen, with all its cells.
package struct ScreenCell: Hashable, Sendable {
    /// The character; empty if nothing was written.
    package var text: String
    /// The number of cells, 1 or 2.
    package var width: Int
    package var style: Style
    package var link: Link?

    package init(text: String, width: Int, style: Style, link: Link?) {
        (self.text, self.width, self.style, self.link) = (text, width, style, link)
    }

    /// The text, or a space if nothing was written.
    package var shown: String { text.isEmpty ? " " : text }
}

/// Adjacent characters of a row with the same style.
package struct ScreenRun: Hashable, Sendable {
    package var column: Int
    package var width: Int
    package var text: String
    package var style: Style
    package var link: Link?

    /// Whether the run is a single two-cell character.
    var isWide: Bool { width == 2 && text.count == 1 }
}
