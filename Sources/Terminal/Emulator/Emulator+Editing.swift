/// Erasing, inserting and deleting.
extension Emulator {
    /// ED, and DECSED, which erases only unprotected characters.
    ///
    /// Any operation that erases part of the screen clears a pending wrap, as in xterm.
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
            // Keep the hash, so that text repainted unchanged is not reported again.
            let given = grid.lines[y].given
            grid.clear(y, blank)
            grid.lines[y].given = given
        }
    }

    /// EL, and DECSEL, which erases only unprotected characters.
    mutating func eraseLine(_ what: Int, selective: Bool) {
        let range: Range<Int>
        switch what {
        case 0: range = cursor.x..<columns
        case 1: range = 0..<cursor.x + 1
        case 2: range = 0..<columns
        default: return
        }
        let selective = selective || protection == .guarded
        if range.lowerBound < Int(grid.lines[cursor.y].extent) { leaveLine(isErased: true) }
        if what != 1 || range.upperBound == columns { grid.lines[cursor.y].flags.remove(.wrapped) }
        cursor.isWrapPending = false
        if selective {
            eraseUnprotected(cursor.y, range)
        } else {
            grid.erase(cursor.y, range, blank)
        }
    }

    mutating func eraseUnprotected(_ y: Int, _ range: Range<Int>) {
        let tables = tables
        grid.eraseUnprotected(y, range, .blank) { tables.style($0).attributes.contains(.protected) }
    }

    /// ECH: erases characters, starting at the cursor.
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

    /// ICH and DCH: insert blank cells, or delete characters, at the cursor.
    mutating func moveCharacters(_ count: Int, inserting: Bool) {
        cursor.isWrapPending = false
        guard let range = restOfRow else { return }
        moveCells(cursor.y, range, count, blank, inserting: inserting)
        if range.upperBound == columns { grid.lines[cursor.y].flags.remove(.wrapped) }
    }

    private mutating func moveCells(_ y: Int, _ range: Range<Int>, _ count: Int, _ blank: Cell, inserting: Bool) {
        if inserting {
            grid.insertCells(y, range, count, blank)
        } else {
            grid.deleteCells(y, range, count, blank)
        }
    }

    /// The columns from the cursor to the right margin; nil if the cursor is outside the margins.
    private var restOfRow: Range<Int>? {
        region.columns.contains(cursor.x) ? cursor.x..<region.right : nil
    }

    /// IL and DL: move the rows of the region from the cursor's row on down, or up over it; the cursor goes to the left
    /// margin.
    mutating func moveLines(_ count: Int, inserting: Bool) {
        guard region.rows.contains(cursor.y), region.columns.contains(cursor.x) else { return }
        if inserting {
            scrollDown(cursor.y..<region.bottom, count)
        } else {
            scrollUp(cursor.y..<region.bottom, count)
        }
        carriageReturn()
    }

    /// SL, SR, DECIC and DECDC: move cells in all rows of the region.
    mutating func moveColumns(from column: Int, _ count: Int, inserting: Bool) {
        guard region.rows.contains(cursor.y), region.columns.contains(cursor.x) else { return }
        let blank = blank
        for y in region.rows {
            grid.lines[y].flags.remove(.wrapped)
            moveCells(y, column..<region.right, count, blank, inserting: inserting)
        }
    }

    /// REP: repeats a character, which can scroll the screen.
    mutating func repeatScalar(_ scalar: UInt32?, _ count: Int) {
        guard let scalar else { return }
        if scalar < 0x80, sets.isPlain, !modes[.insert] {
            let bytes = [UInt8](repeating: UInt8(scalar), count: count)
            var index = 0
            while index < count { index = printASCII(bytes.span, index) }
        } else {
            for _ in 0..<count { show(scalar) }
        }
        // Another REP does not repeat the character again.
        lastScalar = nil
    }
}
