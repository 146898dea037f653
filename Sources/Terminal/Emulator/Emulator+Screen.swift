extension Emulator {
    /// The number of rows in the scrollback, which keep their original widths.
    package var scrollbackCount: Int { scrollback.count }

    /// The number of rows in the scrollback, including those that have been discarded because of its limit.
    package var scrollbackTotal: Int { scrollback.total }

    /// The memory used by the scrollback, in bytes.
    package var scrollbackBytes: Int { scrollback.byteCount }

    /// Returns the screen, with up to `count` rows of scrollback.
    package func screen(scrollback count: Int = 0) -> Screen {
        Screen(
            size: size,
            scrollback: count > 0 ? scrollbackRows(count) : [],
            rows: screenRows(grid),
            cursor: Screen.Position(column: cursor.x, row: cursor.y, isWrapPending: cursor.isWrapPending),
            cursorShape: cursorShape,
            modes: modes,
            keyboardFlags: KeyboardFlags(rawValue: keyboard.current),
            colors: colors,
            isAlternate: isAlternate,
            title: title,
            workingDirectory: workingDirectory,
            promptState: promptState
        )
    }

    /// The rows of one of the two screens.
    func screenRows(_ grid: Grid) -> [ScreenRow] {
        (0..<grid.rows).map { Self.row(grid.row($0), grid.lines[$0].flags, tables) }
    }

    /// The newest rows of the scrollback, wrapped at the width of the screen.
    func scrollbackRows(_ count: Int) -> [ScreenRow] {
        var tables = tables
        var rows: [ScreenRow] = []
        var parts: [(cells: [Cell], flags: LineFlags)] = []
        func finish() {
            guard !parts.isEmpty else { return }
            var line = LogicalLine()
            for part in parts.reversed() { line.append(joined: part.cells, part.flags) }
            if columns > 1 { line.widen(tables) }
            var broken = line.broken(columns)
            if parts[0].flags.contains(.wrapped) { broken[broken.count - 1].flags.insert(.wrapped) }
            rows += broken.reversed().map { Self.row($0.cells[...], $0.flags, tables) }
            parts = []
        }
        scrollback.forEachNewestFirst { record in
            let flags = PackedLine.flags(of: record)
            if !flags.contains(.wrapped) {
                finish()
                if rows.count >= count { return false }
            }
            parts.append((PackedLine.cells(of: record, &tables), flags))
            return rows.count + parts.count < count * 4 + 4096
        }
        finish()
        return rows.prefix(count).reversed()
    }

    /// Returns a row as a value that does not refer to the tables.
    static func row(_ cells: ArraySlice<Cell>, _ flags: LineFlags, _ tables: CellTables) -> ScreenRow {
        var result: [ScreenCell] = []
        result.reserveCapacity(cells.count)
        var known: (number: UInt32, style: Style, link: Link?) = (0, .plain, nil)
        for cell in cells where !cell.isTail && !(cell.isFiller && flags.contains(.wrapped)) {
            if cell.style != known.number {
                var style = tables.style(cell.style)
                let link = tables.link(of: style)
                style.link = 0
                known = (cell.style, style, link)
            }
            let text = cell.isEmpty ? "" : Self.text(cell.content, tables)
            result.append(ScreenCell(text: text, width: cell.isWide ? 2 : 1, style: known.style, link: known.link))
        }
        while !flags.contains(.wrapped), let last = result.last, last.text.isEmpty, last.style == .plain,
            last.link == nil
        { result.removeLast() }
        return ScreenRow(
            cells: result,
            isWrapped: flags.contains(.wrapped),
            marks: ScreenRow.PromptMarks(rawValue: flags.intersection(.marks).rawValue >> 4),
            size: size(flags)
        )
    }

    private static func size(_ flags: LineFlags) -> ScreenRow.Size {
        if flags.contains(.upperHalf) { return .doubleTop }
        if flags.contains(.lowerHalf) { return .doubleBottom }
        return flags.contains(.doubleWidth) ? .doubleWidth : .single
    }

    private static func text(_ content: UInt32, _ tables: CellTables) -> String {
        guard content & Cell.clusterBit != 0 else { return String(Unicode.Scalar(content) ?? "\u{FFFD}") }
        var view = String.UnicodeScalarView()
        tables.clusters.forEachScalar(of: content) { view.append(Unicode.Scalar($0) ?? "\u{FFFD}") }
        return String(view)
    }
}
