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
            let places = screen.places(of: .literal(text))
            guard let first = places.first else { throw VTError(.negative, "'\(text)' is not on the screen") }
            guard places.count == 1 else {
                let list = places.prefix(Self.shownPlaces).map { "\($0.column),\($0.row)" }.joined(separator: " ")
                let rest = places.count > Self.shownPlaces ? " ..." : ""
                throw VTError(
                    .negative,
                    "'\(text)' is on the screen \(places.count) times, at \(list)\(rest)",
                    hint: "use --click COL,ROW"
                )
            }
            return (first.column, first.row)
        }
    }

    private static let shownPlaces = 10
}
