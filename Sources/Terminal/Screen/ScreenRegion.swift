import Core

/// A rectangle of cells, given as COLSxROWS+COL+ROW as in X11 geometries.
package struct ScreenRegion: Hashable, Sendable {
    package var size: TerminalSize
    /// The first column, numbered from 0.
    package var column: Int
    /// The first row, numbered from 0 at the top of the screen; rows above the screen are negative.
    package var row: Int

    /// The largest column and row; more than any screen has.
    private static let limit = 1_000_000

    /// - Throws: `usage`.
    package init(parsing text: String) throws(VTError) {
        let parts = text.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let size = try? TerminalSize(parsing: parts[0]),
            let column: Int = NumberText.whole(parts[1]),
            let row: Int = NumberText.whole(parts[2].hasPrefix("-") ? String(parts[2].dropFirst()) : parts[2]),
            max(column, row) <= Self.limit
        else {
            throw VTError(
                .usage,
                "invalid region '\(text)'",
                hint: "use COLSxROWS+COL+ROW, such as 20x5+0+2; columns and rows are numbered from 0"
            )
        }
        (self.size, self.column, self.row) = (size, column, parts[2].hasPrefix("-") ? -row : row)
    }

    /// Whether a text is in the region, except for its further rows.
    package func contains(_ place: ScreenPlace) -> Bool {
        place.row >= row && place.row - row < size.rows && place.column >= column
            && place.column + place.width - column <= size.columns
    }
}

extension Screen {
    /// The part of the screen in a region, as a screen; what is in no row of this one is blank.
    ///
    /// A character of two cells that is only partly in the region is a blank. A cursor outside the region is not shown.
    package func part(_ region: ScreenRegion) -> Screen {
        var part = self
        let all = scrollback + rows
        let first = scrollback.count + region.row
        part.size = region.size
        part.scrollback = []
        part.rows = (first..<first + region.size.rows).map { index in
            all.indices.contains(index)
                ? all[index].part(region.column..<region.column + region.size.columns)
                : ScreenRow(cells: [], isWrapped: false, marks: [], size: .single)
        }
        part.cursor.column -= region.column
        part.cursor.row -= region.row
        if !part.rows.indices.contains(part.cursor.row) || !(0..<region.size.columns).contains(part.cursor.column) {
            (part.cursor.column, part.cursor.row, part.cursor.isWrapPending) = (0, 0, false)
            part.modes[.showCursor] = false
        }
        return part
    }
}

extension Screen {
    /// The screen with a block before the character at the cursor, if the cursor is shown.
    package var withCursor: Screen {
        guard isCursorVisible, rows.indices.contains(cursor.row) else { return self }
        var screen = self
        var cells = rows[cursor.row].cells
        var (index, column) = (0, 0)
        while column < cursor.column {
            if index == cells.count { cells.append(ScreenCell(text: " ", width: 1, style: .plain, link: nil)) }
            column += cells[index].width
            index += 1
        }
        cells.insert(ScreenCell(text: "\u{2588}", width: 1, style: .plain, link: nil), at: index)
        screen.rows[cursor.row].cells = cells
        return screen
    }
}

extension ScreenRow {
    fileprivate func part(_ columns: Range<Int>) -> ScreenRow {
        var part = self
        part.cells = []
        var column = 0
        for cell in cells {
            let range = column..<column + cell.width
            if columns.contains(range.lowerBound), columns.contains(range.upperBound - 1) {
                part.cells.append(cell)
            } else {
                let blank = ScreenCell(text: "", width: 1, style: cell.style, link: nil)
                part.cells += repeatElement(blank, count: range.clamped(to: columns).count)
            }
            column = range.upperBound
        }
        part.isWrapped = isWrapped && columns.upperBound >= column
        return part
    }
}
