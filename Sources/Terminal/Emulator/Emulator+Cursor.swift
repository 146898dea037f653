/// Cursor movement and scrolling.
extension Emulator {
    /// Moves to a row and column counted from 0, relative to the margins in origin mode.
    mutating func move(toRow row: Int, column: Int) {
        let isOrigin = modes[.origin]
        let rowRange = isOrigin ? region.rows : 0..<rows
        let columnRange = isOrigin ? region.columns : 0..<columns
        let target = min(max(row, 0) + rowRange.lowerBound, rowRange.upperBound - 1)
        if target != cursor.y { leaveLine() }
        cursor.y = target
        cursor.x = min(max(column, 0) + columnRange.lowerBound, columnRange.upperBound - 1)
        cursor.isWrapPending = false
    }

    /// The cursor's row, in the coordinates of `move(toRow:column:)`.
    var relativeRow: Int { cursor.y - (modes[.origin] ? region.top : 0) }
    /// The cursor's column, in the coordinates of `move(toRow:column:)`.
    var relativeColumn: Int { cursor.x - (modes[.origin] ? region.left : 0) }

    mutating func moveUp(_ count: Int) {
        leaveLine()
        let top = cursor.y >= region.top ? region.top : 0
        cursor.y = max(cursor.y - count, top)
        cursor.isWrapPending = false
    }

    mutating func moveDown(_ count: Int) {
        leaveLine()
        let bottom = cursor.y < region.bottom ? region.bottom : rows
        cursor.y = min(cursor.y + count, bottom - 1)
        cursor.isWrapPending = false
    }

    mutating func moveRight(_ count: Int) {
        cursor.x = min(cursor.x + count, rightEdge - 1)
        cursor.isWrapPending = false
    }

    /// Moves left; with reverse wrap, continues in the row above.
    ///
    /// With reverse wrap (mode 45), the cursor stays within the rows of one line; with extended reverse wrap (mode
    /// 1045), it moves to any row above, and from the top of the region to its bottom, as in xterm since patch 383.
    mutating func moveLeft(_ count: Int) {
        defer { cursor.isWrapPending = false }
        let left = cursor.x >= region.left ? region.left : 0
        let isExtended = modes[.extendedReverseWrap]
        guard isExtended || modes[.reverseWrap], modes[.autoWrap] else {
            cursor.x = max(cursor.x - count, left)
            return
        }
        var count = cursor.isWrapPending ? count - 1 : count
        while count > cursor.x - left {
            let isTop = cursor.y == region.top || cursor.y == 0
            guard isExtended || (!isTop && grid.lines[cursor.y - 1].flags.contains(.wrapped)) else { break }
            leaveLine()
            count -= cursor.x - left + 1
            cursor.y = isTop ? region.bottom - 1 : cursor.y - 1
            cursor.x = region.right - 1
        }
        cursor.x = max(cursor.x - count, left)
    }

    /// Clears a pending wrap unless the cursor is at the edge of its row, which may have moved when the margins or the
    /// row's size changed.
    mutating func keepWaitOnlyAtEdge() {
        if cursor.isWrapPending, cursor.x + 1 != rightEdge { cursor.isWrapPending = false }
    }

    mutating func carriageReturn() {
        cursor.x = cursor.x >= region.left ? region.left : 0
        cursor.isWrapPending = false
    }

    /// HT and CHT; with mode 41, a tab after a full row continues in the next row (xterm(1), `curses`).
    mutating func tabForward(_ count: Int) {
        if cursor.isWrapPending, modes[.moreFix] { wrap() }
        let limit = rightEdge - 1
        for _ in 0..<min(count, columns) where cursor.x < limit { cursor.x = min(tabs.next(after: cursor.x), limit) }
    }

    /// CBT; a pending wrap stays pending, as in xterm.
    mutating func tabBackward(_ count: Int) {
        let limit = modes[.origin] ? region.left : 0
        for _ in 0..<min(count, columns) where cursor.x > limit {
            cursor.x = max(tabs.previous(before: cursor.x), limit)
        }
    }

    // MARK: - Scrolling

    /// Moves down; at the bottom of the region, scrolls up.
    @inline(__always)
    mutating func index() {
        cursor.isWrapPending = false
        if cursor.y == region.bottom - 1 {
            if region.isFullWidth(columns) || region.columns.contains(cursor.x) { scrollUp(1) }
        } else if cursor.y < rows - 1 {
            cursor.y += 1
        }
    }

    mutating func reverseIndex() {
        cursor.isWrapPending = false
        if cursor.y == region.top {
            if region.isFullWidth(columns) || region.columns.contains(cursor.x) { scrollDown(region.rows, 1) }
        } else if cursor.y > 0 {
            cursor.y -= 1
        }
    }

    /// DECBI and DECFI: at the margin, scrolls the region horizontally.
    mutating func columnIndex(forward: Bool) {
        let isInside = region.rows.contains(cursor.y) && region.columns.contains(cursor.x)
        if forward {
            if isInside, cursor.x == region.right - 1 {
                for y in region.rows { grid.deleteCells(y, region.columns, 1, blank) }
            } else if cursor.x < columns - 1 {
                cursor.x += 1
                cursor.isWrapPending = false
            }
        } else if isInside, cursor.x == region.left {
            for y in region.rows { grid.insertCells(y, region.columns, 1, blank) }
        } else if cursor.x > 0 {
            cursor.x -= 1
            cursor.isWrapPending = false
        }
    }

    /// Scrolls the region up; rows that leave the top of the main screen go to the scrollback.
    mutating func scrollUp(_ count: Int) {
        scrollUp(region.rows, count, keeping: region.top == 0 && !isAlternate)
    }

    /// Scrolls a range of rows up; with `keeping`, the rows that leave it go to the scrollback.
    mutating func scrollUp(_ range: Range<Int>, _ count: Int, keeping: Bool = false) {
        let count = min(count, range.count)
        if collected.isOn { collect(leaving: range.lowerBound..<range.lowerBound + count, keeping: keeping) }
        guard region.isFullWidth(columns) else { return scrollPart(range, -count) }
        if keeping {
            for y in 0..<count { scrollback.append(grid.row(y), grid.lines[y].flags, tables) }
        } else if range.lowerBound > 0 {
            grid.lines[range.lowerBound - 1].flags.remove(.wrapped)
        }
        grid.rotateUp(range, count, blank)
        if range.upperBound < rows, range.count > count {
            grid.lines[range.upperBound - count - 1].flags.remove(.wrapped)
        }
    }

    mutating func scrollDown(_ range: Range<Int>, _ count: Int) {
        let count = min(count, range.count)
        if collected.isOn { collect(leaving: range.upperBound - count..<range.upperBound, keeping: false) }
        guard region.isFullWidth(columns) else { return scrollPart(range, count) }
        if range.lowerBound > 0 { grid.lines[range.lowerBound - 1].flags.remove(.wrapped) }
        grid.rotateDown(range, count, blank)
        grid.lines[range.upperBound - 1].flags.remove(.wrapped)
    }

    /// Moves the cells between the left and right margins by `distance` rows; up if it is negative.
    private mutating func scrollPart(_ range: Range<Int>, _ distance: Int) {
        let blank = blank
        let targets = distance < 0 ? Array(range) : range.reversed()
        for y in targets {
            grid.lines[y].flags.remove(.wrapped)
            if range.contains(y - distance) {
                grid.copy(y - distance, region.columns, to: y, region.left)
            } else {
                grid.erase(y, region.columns, blank)
            }
        }
    }

    /// An erased cell, with the background of the pen.
    var blank: Cell {
        mutating get {
            pen.background == .standard ? .blank : Cell(glyph: 0, style: tables.styles.number(of: pen.erasing))
        }
    }
}
