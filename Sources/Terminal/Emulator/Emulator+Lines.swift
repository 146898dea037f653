import Core

/// Collects lines as text before they change or disappear.
///
/// For a watch, a changed line is collected when the cursor leaves it or returns to its start, before part of it is
/// erased, and before it leaves the screen. At the end of the output, the caller must collect the lines on the screen.
extension Emulator {
    /// Collects the cursor's line before the cursor leaves it, or before its end is erased.
    @inline(__always)
    mutating func leaveLine(isErased: Bool = false) {
        if collected.isWatch { leaveWatchedLine(isErased) }
    }

    @inline(never)
    private mutating func leaveWatchedLine(_ isErased: Bool) {
        if grid.lines[cursor.y].isChanged { collectLine(at: cursor.y) }
        if isErased { keepJoins() }
    }

    /// Collects the cursor's line when it ends, even if it is empty.
    @inline(__always)
    mutating func endLine() {
        if collected.isWatch { endWatchedLine() }
    }

    @inline(never)
    private mutating func endWatchedLine() {
        if grid.lines[cursor.y].isChanged {
            collectLine(at: cursor.y)
        } else if grid.lines[cursor.y].extent == 0, !continuesLineAbove(cursor.y) {
            collected.endLine(from: collected.text.count, isWhole: true)
        }
    }

    /// Collects lines before part of the screen is erased: from the cursor, up to the cursor, or all of it, as in ED.
    mutating func leaveScreen(erasing what: Int = 2) {
        guard collected.isWatch else { return }
        let range = what == 0 ? cursor.y..<rows : what == 1 ? 0..<cursor.y + 1 : 0..<rows
        for y in range where grid.lines[y].isChanged {
            if what == 0, y == cursor.y, cursor.x >= Int(grid.lines[y].extent) { continue }
            collectLine(at: y)
        }
        collectJoins()
        if what == 2, !isAlternate { collected.dropHead() }
    }

    /// Collects lines before rows leave the screen or the scroll region.
    @inline(never)
    mutating func collect(leaving range: Range<Int>, keeping: Bool) {
        switch collected.purpose {
        case .none: break
        case .log:
            guard keeping else { break }
            for y in range {
                let isWrapped = grid.lines[y].flags.contains(.wrapped)
                collected.text.append(grid.row(y), isWrapped ? columns : nil, tables)
                if !isWrapped { collected.text.bytes.append(0x0A) }
            }
            if collected.update != nil { collected.limitUpdate() }
        case .watch:
            if !keeping {
                for y in range where grid.lines[y].isChanged { collectLine(at: y) }
            }
            keepJoins(leaving: range, keeping: keeping)
            guard keeping else { return }
            for y in range { moveToHead(y) }
        }
    }

    /// Moves a row that leaves the top of the main screen to the head.
    private mutating func moveToHead(_ y: Int) {
        let isChanged = grid.lines[y].isChanged
        if grid.lines[y].flags.contains(.wrapped) {
            var row = CollectedText(isTraced: collected.isTraced)
            row.append(grid.row(y), columns, tables)
            collected.addToHead(row, isChanged: isChanged)
        } else {
            if isChanged || collected.isHeadChanged {
                let start = collected.text.count
                collected.text.append(collected.head)
                collected.text.append(grid.row(y), nil, tables)
                finish(from: start, isWhole: collected.isHeadWhole, row: y)
            }
            collected.dropHead()
        }
    }

    /// Collects the line that contains a row, including its rows that have scrolled off.
    mutating func collectLine(at y: Int) {
        let line = rowsOfLine(at: y)
        guard collected.isTraced, line.count > Self.contextRows * 2 else { return collect(line: line) }
        collect(line: line.clamped(to: y - Self.contextRows..<y + Self.contextRows + 1))
    }

    /// The maximum number of rows to collect above and below a changed row of a traced screen, if its line has many
    /// rows.
    ///
    /// Without this limit, a line that keeps growing would be collected as a whole for each word added to it.
    private static let contextRows = 8

    /// The last rows of a long line, if the cursor is at its end and at most `contextRows` of them are new; nil
    /// otherwise.
    var unfinishedRows: Range<Int>? {
        let end = cursor.y
        guard cursor.isWrapPending || cursor.x >= Int(grid.lines[end].extent),
            !grid.lines[end].flags.contains(.wrapped)
        else { return nil }
        var first = end
        while first > 0, end - first < Self.contextRows, grid.lines[first - 1].flags.contains(.wrapped) { first -= 1 }
        guard end - first == Self.contextRows, !grid.lines[first].isChanged else { return nil }
        return first..<end + 1
    }

    private mutating func collect(line range: Range<Int>) {
        // Swap the text out to avoid a copy while the emulator is read.
        var text = CollectedText(isTraced: collected.isTraced)
        swap(&text, &collected.text)
        let start = text.count
        let isWhole = append(line: range, to: &text)
        swap(&text, &collected.text)
        for row in range {
            grid.lines[row].isChanged = false
            grid.lines[row].isJoinDue = collected.isTraced
        }
        collected.hasDueJoins = collected.isTraced
        if range.lowerBound == 0, !isAlternate { collected.recordHeadReported() }
        finish(from: start, isWhole: isWhole, row: range.lowerBound)
    }

    /// Ends a collected line; drops it if it is blank, because it has been erased, or if it was already reported.
    private mutating func finish(from start: Int, isWhole: Bool, row: Int) {
        guard collected.text.count > start else { return }
        if collected.reportsOnce {
            let mark = collected.mark(from: start)
            guard grid.lines[row].given != mark else {
                collected.text.remove(start..<collected.text.count)
                return
            }
            grid.lines[row].given = mark
        }
        collected.endLine(from: start, isWhole: isWhole)
    }

    /// Allows lines that are no longer on the screen to be reported again.
    mutating func clearReportedLinesNotOnScreen() {
        for y in 0..<rows where grid.lines[y].given != 0 && (grid.lines[y].isChanged || grid.lines[y].extent == 0) {
            let start = collected.text.count
            _ = append(line: rowsOfLine(at: y), to: &collected.text)
            if collected.mark(from: start) != grid.lines[y].given { grid.lines[y].given = 0 }
            collected.text.remove(start..<collected.text.count)
        }
    }

    /// Whether the terminal has one row, and collects the lines that leave it.
    var isOneRowLog: Bool { collected.purpose == .log && rows == 1 }

    // MARK: - Lines on the screen

    /// Whether a row continues the line above it, on the screen or scrolled off.
    private func continuesLineAbove(_ y: Int) -> Bool {
        y > 0 ? grid.lines[y - 1].flags.contains(.wrapped) : !isAlternate && collected.head.count > 0
    }

    /// The rows of the line that contains a row; in a very long line, only the rows closest to it.
    func rowsOfLine(at y: Int) -> Range<Int> {
        let limit = CollectedLines.lineLimit / max(columns, 1) + 1
        var first = y
        while first > 0, y - first < limit, grid.lines[first - 1].flags.contains(.wrapped) { first -= 1 }
        var last = y
        while last < rows - 1, last - first < limit, grid.lines[last].flags.contains(.wrapped) { last += 1 }
        return first..<last + 1
    }

    /// Writes the text of rows that form one line; returns false if the start of the line is missing.
    func append(line range: Range<Int>, to text: inout CollectedText) -> Bool {
        var isWhole = true
        if range.lowerBound > 0 {
            isWhole = !grid.lines[range.lowerBound - 1].flags.contains(.wrapped)
        } else if !isAlternate {
            let start = collected.reportedHeadStart
            text.append(collected.head, from: start)
            isWhole = collected.isHeadWhole && start == 0
        }
        for y in range { text.append(grid.row(y), y < range.upperBound - 1 ? columns : nil, tables) }
        return isWhole
    }
}
