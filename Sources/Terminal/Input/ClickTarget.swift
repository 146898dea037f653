import Core

/// The place of a click.
package enum ClickTarget: Equatable, Sendable {
    /// A cell, with its column and row numbered from 0.
    case cell(column: Int, row: Int)
    /// The first character of a text on the screen.
    case text(String)

    /// Parses `COL,ROW`; everything else is a text.
    package init(parsing word: String) throws(VTError) {
        guard !word.isEmpty else { throw VTError(.usage, "the text to click is empty") }
        let parts = word.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        if parts.count == 2, let column: Int = NumberText.whole(parts[0]), let row: Int = NumberText.whole(parts[1]) {
            self = .cell(column: column, row: row)
        } else {
            self = .text(word)
        }
    }

    /// Returns the cell on a screen.
    ///
    /// - Throws: `negative` when the cell is outside the screen, or the text is not on it exactly once.
    package func cell(on screen: Screen) throws(VTError) -> (column: Int, row: Int) {
        switch self {
        case .cell(let column, let row):
            guard column < screen.size.columns, row < screen.size.rows else {
                throw VTError(
                    .negative,
                    "\(column),\(row) is outside the screen",
                    hint: "columns are 0 to \(screen.size.columns - 1), and rows are 0 to \(screen.size.rows - 1)"
                )
            }
            return (column, row)
        case .text(let text):
            let cells = screen.cells(of: text)
            guard let first = cells.first else { throw VTError(.negative, "'\(text)' is not on the screen") }
            guard cells.count == 1 else {
                let places = cells.prefix(Self.shownPlaces).map { "\($0.column),\($0.row)" }.joined(separator: " ")
                let rest = cells.count > Self.shownPlaces ? " ..." : ""
                throw VTError(
                    .negative,
                    "'\(text)' is on the screen \(cells.count) times, at \(places)\(rest)",
                    hint: "use --click COL,ROW"
                )
            }
            return first
        }
    }

    private static let shownPlaces = 10
}

extension Screen {
    /// Returns the first cells of each occurrence of a text, which can continue on the next row of a wrapped line.
    package func cells(of text: String) -> [(column: Int, row: Int)] {
        var found: [(column: Int, row: Int)] = []
        var line: [(text: String, column: Int, row: Int)] = []
        for (y, row) in rows.enumerated() {
            var column = 0
            for cell in row.cells {
                line.append((cell.shown, column, y))
                column += cell.width
            }
            if row.isWrapped, y + 1 < rows.count { continue }
            var start = 0
            while start < line.count {
                var end = start
                var shown = ""
                while end < line.count, shown != text, text.hasPrefix(shown) {
                    shown += line[end].text
                    end += 1
                }
                if shown == text { found.append((line[start].column, line[start].row)) }
                start = shown == text ? end : start + 1
            }
            line = []
        }
        return found
    }
}
