/// A line of text as the program wrote it, with wrapped rows joined.
struct LogicalLine {
    var cells: [Cell] = []
    /// The marks and character size of its rows.
    var flags: LineFlags = []
    /// Positions to track: a number that identifies the position, and its cell offset from the start of the line.
    var points: [(number: Int, offset: Int)] = []

    /// Appends a screen row; if the line continues in the next row, the row is filled to its full width.
    mutating func append(_ row: ArraySlice<Cell>, isJoined: Bool, _ columns: Int, _ rowFlags: LineFlags) {
        flags.formUnion(rowFlags.intersection([.marks, .size]))
        var row = row
        if let last = row.last, last.isFiller, row.count == columns {
            row.removeLast()
        } else if isJoined, row.count < columns {
            cells += row
            cells += repeatElement(.blank, count: columns - row.count)
            return
        }
        cells += row
    }

    /// Appends a row of unknown width.
    mutating func append(joined row: [Cell], _ rowFlags: LineFlags) {
        let end = row.last?.isFiller == true ? row.count - 1 : row.count
        append(row[..<end], isJoined: false, .max, rowFlags)
    }

    /// Restores the second cell of wide characters that had been squeezed into one column.
    mutating func widen(_ tables: CellTables) {
        var result: [Cell] = []
        var moved = points
        for (offset, cell) in cells.enumerated() {
            result.append(cell)
            guard !cell.isWide, !cell.isTail, tables.clusters.isWide(cell.content) else { continue }
            result[result.count - 1].glyph |= Cell.wideBit
            result.append(Cell(glyph: Cell.tailBit, style: cell.style))
            for index in points.indices where points[index].offset > offset { moved[index].offset += 1 }
        }
        cells = result
        points = moved
    }

    /// One of the rows into which the line is wrapped.
    struct Row {
        var cells: [Cell]
        var flags: LineFlags
        var points: [(number: Int, x: Int, isWrapPending: Bool)] = []
    }

    /// Wraps the line into rows; there is at least one.
    func broken(_ columns: Int) -> [Row] {
        var rows: [Row] = []
        var starts: [Int] = []
        var start = 0
        repeat {
            starts.append(start)
            var end = min(start + columns, cells.count)
            var row: [Cell]
            if columns == 1 {
                row = [
                    cells[start..<end].first.map { Cell(glyph: $0.glyph & ~Cell.wideBit, style: $0.style) } ?? .blank
                ]
                if cells.isEmpty { row = [] }
                while end < cells.count, cells[end].isTail { end += 1 }
            } else if end < cells.count, cells[end - 1].isWide {
                end -= 1
                row = Array(cells[start..<end]) + [Cell(glyph: Cell.fillerBit, style: 0)]
            } else {
                row = Array(cells[start..<end])
            }
            start = end
            rows.append(Row(cells: row, flags: start < cells.count ? .wrapped : []))
        } while start < cells.count
        rows[0].flags.formUnion(flags)
        for point in points { place(point, &rows, starts, columns) }
        return rows
    }

    private func place(_ point: (number: Int, offset: Int), _ rows: inout [Row], _ starts: [Int], _ columns: Int) {
        let index = max((starts.firstIndex { $0 > point.offset } ?? starts.count) - 1, 0)
        let x = point.offset - starts[index]
        rows[index].points.append((point.number, min(x, columns - 1), x >= columns && point.offset == cells.count))
    }
}
