/// Erasing, inserting and deleting.
extension Emulator {
    /// ED, and DECSED where only what is not protected goes.
    ///
    /// The wait for a wrap ends with all that erase a part of the screen, as in xterm.
    mutating func eraseDisplay(_ what: Int, selective: Bool) {
        let selective = selective || protection == .guarded
        if what < 3 {
            leaveScreen(erasing: what)
            cursor.isWrapPending = false
        }
        switch what {
        case 0:
            eraseLine(0, selective: selective)
            for y in cursor.y + 1..<max(rows, cursor.y + 1) { eraseRow(y, selective) }
        case 1:
            for y in 0..<cursor.y { eraseRow(y, selective) }
            eraseLine(1, selective: selective)
        case 2:
            for y in 0..<rows { eraseRow(y, selective) }
        case 3 where parser.sequence.marker == 0:
            scrollback.clear()
        default: return
        }
    }

    private mutating func eraseRow(_ y: Int, _ selective: Bool) {
        let blank = blank
        if selective {
            eraseUnprotected(y, 0..<columns)
        } else {
            // What is painted again in its place was there before.
            let given = grid.lines[y].given
            grid.clear(y, blank)
            grid.lines[y].given = given
        }
    }

    /// EL, and DECSEL.
    mutating func eraseLine(_ what: Int, selective: Bool) {
        let range: Range<Int>
        switch what {
        case 0: range = cursor.x..<columns
        case 1: range = 0..<cursor.x + 1
        case 2: range = 0..<columns
        default: return
        }
        let selective = selective || protection == .guarded
        if range.lowerBound < Int(grid.lines[cursor.y].extent) { leaveLine() }
        if what != 1 || range.upperBound == columns { grid.lines[cursor.y].flags.remove(.wrapped) }
        cursor.isWrapPending = false
        if selective {
            eraseUnprotected(cursor.y, range)
        } else {
            grid.erase(cursor.y, range, blank)
        }
    }

    mutating func eraseUnprotected(_ y: Int, _ range: Range<Int>) {
        let styles = tables.styles
        grid.eraseUnprotected(y, range, .blank) { styles[$0].attributes.contains(.protected) }
    }

    /// ECH.
    mutating func eraseCharacters(_ count: Int) {
        let end = min(cursor.x + count, columns)
        if end == columns { grid.lines[cursor.y].flags.remove(.wrapped) }
        cursor.isWrapPending = false
        if protection == .guarded {
            eraseUnprotected(cursor.y, cursor.x..<end)
        } else {
            grid.erase(cursor.y, cursor.x..<end, blank)
        }
    }

    /// ICH.
    mutating func insertCharacters(_ count: Int) {
        cursor.isWrapPending = false
        guard let range = restOfRow else { return }
        grid.insertCells(cursor.y, range, count, blank)
        if range.upperBound == columns { grid.lines[cursor.y].flags.remove(.wrapped) }
    }

    /// DCH.
    mutating func deleteCharacters(_ count: Int) {
        cursor.isWrapPending = false
        guard let range = restOfRow else { return }
        grid.deleteCells(cursor.y, range, count, blank)
        if range.upperBound == columns { grid.lines[cursor.y].flags.remove(.wrapped) }
    }

    /// From the cursor to the right margin; nil where it is outside of the margins.
    private var restOfRow: Range<Int>? {
        region.columns.contains(cursor.x) ? cursor.x..<region.right : nil
    }

    /// IL and DL: the rows from the cursor to the bottom of the region move; the cursor goes to the left margin.
    mutating func insertLines(_ count: Int) {
        guard region.rows.contains(cursor.y), region.columns.contains(cursor.x) else { return }
        scrollDown(cursor.y..<region.bottom, count)
        carriageReturn()
    }

    mutating func deleteLines(_ count: Int) {
        guard region.rows.contains(cursor.y), region.columns.contains(cursor.x) else { return }
        scrollUp(cursor.y..<region.bottom, count)
        carriageReturn()
    }

    /// SL, SR, DECIC and DECDC: cells of all rows of the region move.
    mutating func moveColumns(from column: Int, _ count: Int, inserting: Bool) {
        guard region.rows.contains(cursor.y), region.columns.contains(cursor.x) else { return }
        let blank = blank
        for y in region.rows {
            grid.lines[y].flags.remove(.wrapped)
            if inserting {
                grid.insertCells(y, column..<region.right, count, blank)
            } else {
                grid.deleteCells(y, column..<region.right, count, blank)
            }
        }
    }

    /// REP: a character once more, as often as a parameter can say; it may scroll the screen.
    mutating func repeatScalar(_ scalar: UInt32?, _ count: Int) {
        guard let scalar else { return }
        if scalar < 0x80, sets.isPlain, !modes[.insert] {
            let bytes = [UInt8](repeating: UInt8(scalar), count: count)
            var index = 0
            while index < count { index = printASCII(bytes.span, index) }
        } else {
            for _ in 0..<count { print(scalar) }
        }
        // What follows is another REP or new text.
        lastScalar = nil
    }

    // MARK: - Rectangles

    /// The rows and columns of a rectangle that begins at a parameter; nil where it is empty.
    func rectangle(_ first: Int) -> (rows: Range<Int>, columns: Range<Int>)? {
        let isOrigin = modes[.origin]
        let (height, width) = isOrigin ? (region.bottom, region.right) : (rows, columns)
        let (rowOffset, columnOffset) = isOrigin ? (region.top, region.left) : (0, 0)
        let top = parser.sequence.counter(first) - 1 + rowOffset
        let left = parser.sequence.counter(first + 1) - 1 + columnOffset
        let bottom = min(end(first + 2, height - rowOffset) + rowOffset, height)
        let right = min(end(first + 3, width - columnOffset) + columnOffset, width)
        guard top < bottom, left < right else { return nil }
        return (top..<bottom, left..<right)
    }

    private func end(_ index: Int, _ otherwise: Int) -> Int {
        let value = parser.sequence.value(index) ?? 0
        return value == 0 ? otherwise : value
    }

    /// DECERA, DECSERA and DECFRA.
    mutating func fillRectangle(_ first: Int, with scalar: UInt32?, selective: Bool = false) {
        guard let area = rectangle(first) else { return }
        let cell = scalar.map { Cell(glyph: $0, style: penNumber ?? lookUpPen()) } ?? blank
        for y in area.rows {
            // What SPA protects, DECSERA takes.
            if selective, protection == .selective {
                eraseUnprotected(y, area.columns)
            } else {
                grid.erase(y, area.columns, cell)
            }
        }
    }

    /// DECCRA; pages are ignored, there is one.
    mutating func copyRectangle() {
        guard let area = rectangle(0) else { return }
        let isOrigin = modes[.origin]
        let top = parser.sequence.counter(5) - 1 + (isOrigin ? region.top : 0)
        let left = parser.sequence.counter(6) - 1 + (isOrigin ? region.left : 0)
        guard top < rows, left < columns else { return }
        let height = min(area.rows.count, rows - top)
        let width = min(area.columns.count, columns - left)
        let source = area.columns.lowerBound..<area.columns.lowerBound + width
        let order = top > area.rows.lowerBound ? (0..<height).reversed() : Array(0..<height)
        for offset in order { grid.copy(area.rows.lowerBound + offset, source, to: top + offset, left) }
    }
}
