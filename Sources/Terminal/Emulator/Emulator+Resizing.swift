import Core

/// Resizing: rewraps the lines of the main screen, and truncates the rows of the alternate screen.
extension Emulator {
    /// Resizes the screen.
    ///
    /// Wrapped lines are joined and wrapped at the new width. Rows that no longer fit go to the scrollback; if there is
    /// room and the screen was full, rows from the scrollback return to the screen.
    package mutating func resize(to size: TerminalSize) {
        guard size != self.size else { return }
        setSize(size)
        if isAlternate {
            if let main = otherGrid {
                var points = [otherSaved.cursor]
                otherGrid = reflowed(main, size, &points)
                otherSaved.cursor = points[0]
            }
            grid = Self.cut(grid, size)
            cursor.isWrapPending = false
        } else {
            var points = [cursor, saved.cursor]
            grid = reflowed(grid, size, &points)
            (cursor, saved.cursor) = (points[0], points[1])
            otherGrid = otherGrid.map { Self.cut($0, size) }
        }
        cursor = Self.clamped(cursor, size)
        saved.cursor = Self.clamped(saved.cursor, size)
        otherSaved.cursor = Self.clamped(otherSaved.cursor, size)
        region = Region(columns: columns, rows: rows)
        tabs.resize(columns)
        join = .moved
        if modes[.sizeNotes] { answerSizeNote() }
    }

    private static func clamped(_ cursor: Cursor, _ size: TerminalSize) -> Cursor {
        let x = min(cursor.x, size.columns - 1)
        let isPending = cursor.isWrapPending && x == size.columns - 1
        return Cursor(x: x, y: min(cursor.y, size.rows - 1), isWrapPending: isPending)
    }

    // MARK: - The alternate screen

    private static func cut(_ grid: Grid, _ size: TerminalSize) -> Grid {
        var result = Grid(columns: size.columns, rows: size.rows)
        for y in 0..<min(grid.rows, size.rows) {
            write(Array(grid.wholeRow(y).prefix(size.columns)), grid.lines[y].flags.subtracting(.wrapped), &result, y)
        }
        return result
    }

    /// Writes cells to a blank row; a wide character that does not fit becomes blank.
    private static func write(_ cells: [Cell], _ flags: LineFlags, _ grid: inout Grid, _ y: Int) {
        for (x, cell) in cells.enumerated() {
            if cell.isWide, x + 1 >= grid.columns { break }
            if cell != .blank { grid.replace(cell, y, x) }
        }
        grid.lines[y].flags = flags
    }

    // MARK: - The main screen

    private mutating func reflowed(_ old: Grid, _ size: TerminalSize, _ points: inout [Cursor]) -> Grid {
        var lines = logicalLines(old, points)
        let isFull = lines.used == old.rows
        if old.columns == 1, size.columns > 1 {
            for index in lines.lines.indices { lines.lines[index].widen(tables) }
        }
        var rows: [LogicalLine.Row] = []
        for line in lines.lines { rows += line.broken(size.columns) }
        if isFull, rows.count < size.rows { pullBack(&rows, size) }
        let cursorRow = rows.firstIndex { $0.points.contains { $0.number == 0 } } ?? 0
        let excess = min(max(rows.count - size.rows, 0), cursorRow)
        for row in rows.prefix(excess) { scrollback.append(row.cells[...], row.flags, tables) }
        var grid = Grid(columns: size.columns, rows: size.rows)
        for (y, row) in rows.dropFirst(excess).prefix(size.rows).enumerated() {
            Self.write(row.cells, row.flags, &grid, y)
            for point in row.points {
                points[point.number] = Cursor(x: point.x, y: y, isWrapPending: point.isWrapPending)
            }
        }
        return grid
    }

    /// Joins the rows up to the last one that is in use or contains the first point.
    private mutating func logicalLines(_ grid: Grid, _ points: [Cursor]) -> (lines: [LogicalLine], used: Int) {
        var used = grid.rows
        while used > points[0].y + 1, grid.row(used - 1).isEmpty, !grid.lines[used - 1].flags.contains(.wrapped) {
            used -= 1
        }
        var lines: [LogicalLine] = []
        var line = takeJoined() ?? LogicalLine()
        for y in 0..<used {
            for (number, point) in points.enumerated() where point.y == y {
                line.points.append((number, line.cells.count + point.x + (point.isWrapPending ? 1 : 0)))
            }
            let isJoined = grid.lines[y].flags.contains(.wrapped)
            line.append(grid.row(y), isJoined: isJoined, grid.columns, grid.lines[y].flags)
            if !isJoined || y == used - 1 {
                lines.append(line)
                line = LogicalLine()
            }
        }
        return (lines, used)
    }

    /// The maximum number of cells in a joined line; a longer line is split at a row boundary.
    private static let joinedLimit = 1 << 18

    /// Removes from the scrollback the line that continues on the first row of the screen; nil if there is none.
    private mutating func takeJoined() -> LogicalLine? {
        guard let last = scrollback.last, PackedLine.flags(of: last).contains(.wrapped) else { return nil }
        return takeLine()
    }

    /// Removes the newest line from the scrollback, or only its end if it is longer than `joinedLimit`.
    private mutating func takeLine() -> LogicalLine? {
        var rows: [(cells: [Cell], flags: LineFlags)] = []
        var total = 0
        while let record = scrollback.last {
            let flags = PackedLine.flags(of: record)
            if !rows.isEmpty, !flags.contains(.wrapped) || total > Self.joinedLimit { break }
            let cells = PackedLine.cells(of: record, &tables)
            total += cells.count + 1
            rows.append((cells, flags))
            scrollback.removeLast()
        }
        guard !rows.isEmpty else { return nil }
        var line = LogicalLine()
        for row in rows.reversed() { line.append(joined: row.cells, row.flags) }
        if size.columns > 1 { line.widen(tables) }
        return line
    }

    /// Fills the screen with lines from the scrollback, which are inserted at the top.
    private mutating func pullBack(_ rows: inout [LogicalLine.Row], _ size: TerminalSize) {
        while rows.count < size.rows, let line = takeLine() {
            rows = line.broken(size.columns) + rows
        }
        let excess = max(rows.count - size.rows, 0)
        for row in rows.prefix(excess) { scrollback.append(row.cells[...], row.flags, tables) }
        rows.removeFirst(excess)
    }
}
