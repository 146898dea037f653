/// Collects text that a program may have broken between two rows of a traced screen.
///
/// A row is due from the time its line is collected until its joins are collected. Joins are collected when the screen
/// can be seen, or before one of their rows changes or moves, so that each is collected only once if a program draws
/// many rows at once.
extension Emulator {
    /// Collects all due joins if the cursor is about to change a row whose joins are due.
    @inline(__always)
    mutating func keepJoins() {
        let y = cursor.y
        if grid.lines[y].isJoinDue { return collectJoins() }
        if cursor.isWrapPending, y + 1 < rows, grid.lines[y + 1].isJoinDue { collectJoins() }
    }

    /// Collects all due joins, if necessary, before rows leave the screen or the scroll region.
    mutating func keepJoins(leaving range: Range<Int>, keeping: Bool) {
        // Rows that leave the top of the main screen are needed only if text whose joins are due may start in them.
        let end = min(rows, range.upperBound + joinedRows(columns))
        guard !keeping || region.bottom < rows || grid.lines[..<end].contains(where: { $0.isJoinDue }) else { return }
        collectJoins()
    }

    /// Collects the text at the joins of the rows that are due.
    mutating func collectJoins() {
        var collectedRow = 0
        var columnJoins: [ColumnJoin] = []
        for y in 1..<max(rows, 1) where isJoinDue(y) {
            let borders = borders(above: y)
            if borders.isEmpty {
                guard !grid.lines[y - 1].flags.contains(.wrapped) else { continue }
                if y > collectedRow { collectedRow = collectJoin(at: y) ?? collectedRow }
            }
            collectJoins(at: y, between: borders, &columnJoins)
        }
        for y in 0..<rows { grid.lines[y].isJoinDue = false }
        collected.hasDueJoins = false
    }

    /// Whether the row above or the row itself is due.
    private func isJoinDue(_ y: Int) -> Bool {
        grid.lines[y - 1].isJoinDue || grid.lines[y].isJoinDue
    }

    /// The maximum number of rows to examine on each side of a join: enough for 2 KiB, the length of a long JSON Web
    /// Token.
    private func joinedRows(_ width: Int) -> Int {
        max(16, 2048 / max(width, 1))
    }

    /// The minimum length of a token.
    private static let joinedCharacters = 12

    // MARK: - Entire rows

    /// Collects the words on both sides of the join above a row, or the entire rows if the row above is full; returns
    /// the last row whose join with the row above is included, or nil if nothing was collected.
    private mutating func collectJoin(at y: Int) -> Int? {
        guard meets(y) else { return nil }
        let margin = joinedRows(columns)
        var first = y - 1
        while first > 0, y - first < margin, meets(first) { first -= 1 }
        let limit = min(rows - 1, first + max(2 * margin, CollectedLines.lineLimit / max(columns, 1) - 1))
        var last = y
        var end = min(limit, y + margin)
        while last < end, meets(last + 1) {
            last += 1
            if isJoinDue(last) { end = min(limit, last + margin) }
        }
        collectRows(first...last)
        return last == limit && limit < rows - 1 ? max(y, last - margin) : last
    }

    private mutating func collectRows(_ chain: ClosedRange<Int>) {
        var text: [UInt8] = []
        var origins: [UInt32] = []
        var joins: [Int] = []
        for row in chain {
            if row > chain.lowerBound, !grid.lines[row - 1].flags.contains(.wrapped) {
                joins.append(text.count)
            }
            let isOpen = grid.lines[row].flags.contains(.wrapped) && row < chain.upperBound
            Self.append(grid.row(row), isOpen ? columns : nil, tables, to: &text)
            appendOrigins(row, isOpen ? columns : nil, to: &origins)
        }
        collectJoin(text[...], origins[...], joins)
    }

    private mutating func collectJoin(
        _ text: ArraySlice<UInt8>,
        _ origins: ArraySlice<UInt32>,
        _ joins: [Int]
    ) {
        guard Self.joinedCharacters...CollectedLines.lineLimit ~= text.count else { return }
        collected.text += text
        collected.origins += origins
        collected.endLine(from: collected.text.count - text.count, isWhole: false, joins: joins)
    }

    /// Whether a row can continue a word from the row above: only from a row that is wrapped or full.
    ///
    /// Otherwise, the columns of a table, such as versions, would look like parts of one token.
    private func meets(_ y: Int) -> Bool {
        guard isWordCell(lastCell(y - 1)), isWordCell(grid.cell(y, 0)) else { return false }
        return grid.lines[y - 1].flags.contains(.wrapped) || isFull(y - 1)
    }

    private func lastCell(_ y: Int) -> Cell {
        let end = textEnd(y, 0..<columns)
        return end == 0 ? .blank : grid.cell(y, end - 1)
    }

    private func isFull(_ y: Int) -> Bool {
        Int(grid.lines[y].extent) >= columns - 1
    }

    // MARK: - Parts of rows

    /// Text that continues at the same column of the next row, as in a pane of a divided screen.
    private struct ColumnJoin {
        /// The columns of the pane; all of them if the screen is not divided.
        var pane: Range<Int>
        /// The column where the text continues in each row.
        var start: Int
        /// The last row that was collected.
        var last = 0
    }

    /// Collects text that fills the upper row up to a border or the edge of the screen, and continues below.
    private mutating func collectJoins(at y: Int, between borders: [Int], _ done: inout [ColumnJoin]) {
        var left = 0
        for right in borders + [columns] {
            defer { left = right + 1 }
            guard left < right, let word = wordAtEnd(y - 1, left..<right) else { continue }
            for start in starts(y, left..<right, word, isDivided: !borders.isEmpty) {
                let join = ColumnJoin(pane: left..<right, start: start)
                guard !done.contains(where: { $0.pane == join.pane && $0.start == start && y <= $0.last }) else {
                    continue
                }
                done.append(collect(join, at: y))
            }
        }
    }

    /// The word that ends at the right edge of a pane; nil if there is none.
    private func wordAtEnd(_ y: Int, _ pane: Range<Int>) -> Range<Int>? {
        let end = textEnd(y, pane)
        // A box may have a margin of up to two columns.
        let margin = pane.count < columns ? 2 : 1
        guard end > pane.lowerBound, pane.upperBound - end <= margin, isWordCell(grid.cell(y, end - 1)) else {
            return nil
        }
        return wordStart(y, end, from: pane.lowerBound)..<end
    }

    /// The columns where a row may continue the word at the end of the row above.
    ///
    /// In a pane, this is the column of the first character; on a screen without borders, the first four columns where
    /// text starts in both rows.
    private func starts(_ y: Int, _ pane: Range<Int>, _ word: Range<Int>, isDivided: Bool) -> [Int] {
        var first = pane.lowerBound
        while first < pane.upperBound, isBlankCell(grid.cell(y, first)) { first += 1 }
        guard first <= word.lowerBound else { return [] }
        guard !isDivided else { return canContinue(word, y, first, pane) ? [first] : [] }
        var starts: [Int] = []
        for x in max(first, 1)...max(word.lowerBound, 1) where x <= word.lowerBound && starts.count < 4 {
            guard isBlankCell(grid.cell(y, x - 1)), isBlankCell(grid.cell(y - 1, x - 1)),
                x == first || !isBlankCell(grid.cell(y - 1, x)), canContinue(word, y, x, pane)
            else { continue }
            starts.append(x)
        }
        return starts
    }

    /// Whether the text that starts at a column may continue below, or is long enough for a token together with the
    /// word above.
    private func canContinue(_ word: Range<Int>, _ y: Int, _ start: Int, _ pane: Range<Int>) -> Bool {
        guard isWordCell(grid.cell(y, start)) else { return false }
        let end = wordEnd(y, start, to: pane.upperBound)
        return word.count + end - start >= Self.joinedCharacters || end >= word.upperBound
    }

    private mutating func collect(_ join: ColumnJoin, at y: Int) -> ColumnJoin {
        let margin = joinedRows(join.pane.upperBound - join.start)
        var first = y - 1
        while first > 0, y - first < margin, continues(first, join) { first -= 1 }
        let limit = min(rows - 1, first + max(2 * margin, CollectedLines.lineLimit / max(columns, 1) - 1))
        var last = y
        var end = min(limit, y + margin)
        while last < end, isWordToEnd(last, join), continues(last + 1, join, isLast: true) {
            last += 1
            if isJoinDue(last) { end = min(limit, last + margin) }
        }
        var text: [UInt8] = []
        var origins: [UInt32] = []
        var joins: [Int] = []
        for row in first...last {
            if row > first { joins.append(text.count) }
            let cells = grid.row(row)
            let start = cells.startIndex + (row == first ? join.pane.lowerBound : join.start)
            let part = cells[start..<cells.startIndex + textEnd(row, join.pane)]
            Self.append(part, nil, tables, to: &text)
            appendOrigins(part, to: &origins)
        }
        if text.count == origins.count { collectJoin(text[...], origins[...], joins) }
        var join = join
        join.last = last == limit && limit < rows - 1 ? max(y, last - margin) : last
        return join
    }

    /// Whether a row continues a word from the row above, and consists of one word unless `isLast` is set.
    private func continues(_ y: Int, _ join: ColumnJoin, isLast: Bool = false) -> Bool {
        let pane = join.pane
        guard isWordCell(grid.cell(y, join.start)),
            join.start == pane.lowerBound || isBlankCell(grid.cell(y, join.start - 1)),
            pane.upperBound == columns || isBorder(grid.cell(y, pane.upperBound).glyph),
            pane.upperBound == columns || isBorder(grid.cell(y - 1, pane.upperBound).glyph),
            let word = wordAtEnd(y - 1, pane), word.lowerBound >= join.start
        else { return false }
        return isLast || isWordToEnd(y, join)
    }

    /// Whether one word fills a row from the column where the text continues to the right edge of the pane.
    private func isWordToEnd(_ y: Int, _ join: ColumnJoin) -> Bool {
        guard let word = wordAtEnd(y, join.pane) else { return false }
        return word.lowerBound <= join.start && isWord(y, join.start..<word.upperBound)
    }

    /// The columns with a vertical border in a row and the row above.
    private func borders(above y: Int) -> [Int] {
        var columns: [Int] = []
        unsafe grid.row(y).withUnsafeBufferPointer { lower in
            unsafe grid.row(y - 1).withUnsafeBufferPointer { upper in
                for x in 0..<min(upper.count, lower.count) where isBorder(unsafe lower[x].glyph) {
                    guard isBorder(unsafe upper[x].glyph) else { continue }
                    // A vertical bar may be text, unless it continues in another row.
                    guard unsafe lower[x].glyph != 0x7C || isBar(y - 2, x) || isBar(y + 1, x) else { continue }
                    columns.append(x)
                }
            }
        }
        return columns
    }

    private func isBar(_ y: Int, _ x: Int) -> Bool {
        0..<rows ~= y && grid.cell(y, x).glyph == 0x7C
    }

    /// Whether a character may be part of a vertical line: box-drawing characters, blocks, and the vertical bar.
    @inline(__always)
    private func isBorder(_ glyph: UInt32) -> Bool {
        if glyph < 0x2502 { return glyph == 0x7C }
        switch glyph {
        case 0x2502, 0x2503, 0x2506, 0x2507, 0x250A, 0x250B, 0x251C...0x252B, 0x253C...0x254B, 0x254E...0x254F, 0x2551,
            0x255E...0x2563, 0x256A...0x256C, 0x2588...0x2595:
            return true
        default: return false
        }
    }

    // MARK: - Words

    /// The column after the last character in a part of a row; its start if there is none.
    private func textEnd(_ y: Int, _ range: Range<Int>) -> Int {
        var end = min(range.upperBound, Int(grid.lines[y].extent))
        while end > range.lowerBound, isBlankCell(grid.cell(y, end - 1)) { end -= 1 }
        return max(end, range.lowerBound)
    }

    /// The first column of the word that ends before the column `end`.
    private func wordStart(_ y: Int, _ end: Int, from first: Int) -> Int {
        var start = end
        while start > first, !isBlankCell(grid.cell(y, start - 1)) { start -= 1 }
        return start
    }

    /// The column after the word that starts at the column `start`.
    private func wordEnd(_ y: Int, _ start: Int, to last: Int) -> Int {
        var end = start
        while end < last, !isBlankCell(grid.cell(y, end)) { end += 1 }
        return end
    }

    private func isWord(_ y: Int, _ range: Range<Int>) -> Bool {
        range.allSatisfy { isWordCell(grid.cell(y, $0)) }
    }

    /// Whether a cell is shown as a space.
    private func isBlankCell(_ cell: Cell) -> Bool { cell.isEmpty || cell.glyph == 0x20 }

    /// Whether a cell can be part of a token: an unreserved character or percent sign of a URL, or a Base64 character
    /// (RFC 3986 §2.1 and §2.3, RFC 4648 §4).
    private func isWordCell(_ cell: Cell) -> Bool {
        switch cell.glyph {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D...0x2F, 0x3D, 0x5F, 0x7E, 0x25: true
        default: false
        }
    }
}
