/// Collects text that a program may have broken between two rows of a traced screen.
///
/// A row is due from the time its line is collected until its joins are collected. Joins are collected when the screen
/// can be seen, or before one of their rows changes or moves, so that each is collected only once if a program draws
/// many rows at once.
extension Emulator {
    /// Collects all due joins if the cursor is about to change a row whose joins are due.
    @inline(__always)
    mutating func keepJoins() {
        guard collected.hasDueJoins else { return }
        let y = cursor.y
        if grid.lines[y].isJoinDue { return collectJoins() }
        if cursor.isWrapPending, y + 1 < rows, grid.lines[y + 1].isJoinDue { collectJoins() }
    }

    /// Collects all due joins, if necessary, before rows leave the screen or the scroll region.
    mutating func keepJoins(leaving range: Range<Int>, keeping: Bool) {
        guard collected.hasDueJoins else { return }
        // Rows that leave the top of the main screen are needed only if text whose joins are due may start in them.
        let end = min(rows, range.upperBound + joinedRows(columns))
        guard !keeping || region.bottom < rows || grid.lines[..<end].contains(where: { $0.isJoinDue }) else { return }
        collectJoins()
    }

    /// Collects the text around the joins of the rows that are due.
    mutating func collectJoins() {
        guard collected.hasDueJoins else { return }
        var done: [Flow: Int] = [:]
        for y in 1..<max(rows, 1) where isJoinDue(y) {
            var left = 0
            for right in borders(above: y) + [columns] {
                defer { left = right + 1 }
                guard left < right else { continue }
                for flow in flows(at: y, left..<right) where y > done[flow, default: 0] {
                    done[flow] = collect(flow, at: y)
                }
            }
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
    /// The number of rows to collect above and below those that are joined, such as the header of a private key.
    private static let contextRows = 8

    // MARK: - Flows

    /// Text that continues at the same column of the next row.
    private struct Flow: Hashable {
        /// The columns of a pane of a divided screen, or all columns.
        var pane: Range<Int>
        /// The column where the text continues; those before it are a gutter, as for line numbers, or other text.
        var start: Int

        /// The columns before the text, without the blank between them.
        var gutter: Range<Int> { pane.lowerBound..<max(start - 1, pane.lowerBound) }
    }

    /// The ways in which a row may continue the row above.
    private func flows(at y: Int, _ pane: Range<Int>) -> [Flow] {
        guard let word = wordAtEnd(y - 1, pane) else { return [] }
        var first = pane.lowerBound
        while first < word.lowerBound, isBlankCell(grid.cell(y, first)) { first += 1 }
        var flows: [Flow] = []
        for x in first...max(first, word.lowerBound) where x <= word.lowerBound && flows.count < 4 {
            let flow = Flow(pane: pane, start: x)
            guard x == pane.lowerBound || isBlankCell(grid.cell(y - 1, x - 1)) || x == first && pane.count < columns,
                x == first || isNumber(y, flow.gutter) || !isWrapped(y - 1) && !isBlankCell(grid.cell(y - 1, x)),
                continues(y, flow), !isLine(y, flow), canContinue(word, y, flow)
            else { continue }
            flows.append(flow)
        }
        return flows
    }

    /// Whether a row and the row above are collected as one line in any case.
    private func isLine(_ y: Int, _ flow: Flow) -> Bool {
        flow.start == 0 && flow.pane.count == columns && isWrapped(y - 1)
    }

    private func isWrapped(_ y: Int) -> Bool { grid.lines[y].flags.contains(.wrapped) }

    /// Whether the text may continue below, or is long enough for a token together with the word above.
    private func canContinue(_ word: Range<Int>, _ y: Int, _ flow: Flow) -> Bool {
        if isWrapped(y - 1) || flow.start == 0 && flow.pane.count == columns { return true }
        let end = wordEnd(y, flow)
        return word.count + end - textStart(y, flow) >= Self.joinedCharacters || end >= word.upperBound
    }

    /// Whether a row continues the word at the end of the row above.
    ///
    /// That row must be full: otherwise, the columns of a table, such as versions, would look like parts of one token.
    private func continues(_ y: Int, _ flow: Flow) -> Bool {
        guard let word = wordAtEnd(y - 1, flow.pane), word.lowerBound >= flow.start,
            canBreak(grid.cell(y, textStart(y, flow)), isWrapped(y - 1)),
            flow.start == flow.pane.lowerBound || isBlankCell(grid.cell(y, flow.start - 1))
        else { return false }
        // A row with a line number starts another line, but less repeats the number of a line that continues.
        let number = flow.pane.lowerBound..<wordEnd(y, flow)
        guard !isNumber(y, number) || !isNumber(y - 1, number, orBlank: true) else { return false }
        return !isNumber(y, flow.gutter)
            || flow.gutter.allSatisfy { grid.cell(y, $0).glyph == grid.cell(y - 1, $0).glyph }
    }

    /// Whether there are only digits and blanks in a part of a row, and a blank after them.
    private func isNumber(_ y: Int, _ range: Range<Int>, orBlank: Bool = false) -> Bool {
        var hasDigits = orBlank
        for x in range {
            let cell = grid.cell(y, x)
            if 0x30...0x39 ~= cell.glyph { hasDigits = true } else if !isBlankCell(cell) { return false }
        }
        return hasDigits && (range.upperBound >= columns || isBlankCell(grid.cell(y, range.upperBound)))
    }

    /// Collects the lines around a row, with rows joined where one continues another; returns the last row included.
    private mutating func collect(_ flow: Flow, at y: Int) -> Int {
        let margin = joinedRows(flow.pane.upperBound - flow.start)
        var (first, nearest) = (y - 1, y)
        while first > 0, nearest - first <= Self.contextRows, y - first < margin, isPane(first - 1, flow.pane) {
            if continues(first, flow) { nearest = first }
            first -= 1
        }
        let limit = min(rows - 1, first + max(2 * margin, CollectedLines.lineLimit / max(columns, 1) - 1))
        var last = y
        nearest = y
        var end = min(limit, y + margin)
        while last < end, last - nearest < Self.contextRows, isPane(last + 1, flow.pane) {
            last += 1
            if continues(last, flow) { nearest = last }
            if isJoinDue(last) { end = min(limit, last + margin) }
        }
        var row = first
        while row <= last {
            let line = row
            repeat { row += 1 } while row <= last && continues(row, flow)
            collect(flow, line..<row, isFirst: line == first)
        }
        return last == limit && limit < rows - 1 ? max(y, last - margin) : max(y, nearest)
    }

    /// Collects rows as one line.
    private mutating func collect(_ flow: Flow, _ line: Range<Int>, isFirst: Bool) {
        var text = CollectedText(isTraced: true)
        var joins: [Int] = []
        for y in line {
            if y > line.lowerBound, !isLine(y, flow) { joins.append(text.count) }
            let start = y == line.lowerBound ? flow.pane.lowerBound : textStart(y, flow)
            let end = y == line.upperBound - 1 ? textEnd(y, flow.pane) : breakEnd(y, flow.pane)
            text.append(grid.row(y).dropFirst(start).prefix(max(0, end - start)), nil, tables)
        }
        guard text.count <= CollectedLines.lineLimit else { return }
        collected.text.append(text)
        let start = collected.text.count - text.count
        collected.endLine(from: start, isWhole: false, flow: .init(joins: joins, isFirst: isFirst))
    }

    // MARK: - Panes

    /// Whether the borders of a pane extend to a row.
    private func isPane(_ y: Int, _ pane: Range<Int>) -> Bool {
        (pane.lowerBound == 0 || isBorder(grid.cell(y, pane.lowerBound - 1).glyph))
            && (pane.upperBound == columns || isBorder(grid.cell(y, pane.upperBound).glyph))
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

    /// The word that ends at the right edge of a pane; nil if there is none.
    private func wordAtEnd(_ y: Int, _ pane: Range<Int>) -> Range<Int>? {
        let end = breakEnd(y, pane)
        // A box may have a margin of up to two columns.
        let margin = pane.count < columns ? 2 : 1
        guard end > pane.lowerBound, pane.upperBound - end <= margin, canBreak(grid.cell(y, end - 1), isWrapped(y))
        else { return nil }
        var start = end
        while start > pane.lowerBound, !isBlankCell(grid.cell(y, start - 1)) { start -= 1 }
        return start..<end
    }

    /// The column after the last character in a part of a row; its start if there is none.
    private func textEnd(_ y: Int, _ range: Range<Int>) -> Int {
        var end = min(range.upperBound, Int(grid.lines[y].extent))
        while end > range.lowerBound, isBlankCell(grid.cell(y, end - 1)) { end -= 1 }
        return max(end, range.lowerBound)
    }

    /// The same without the backslash that Emacs shows in the last column if the line continues in the next row.
    private func breakEnd(_ y: Int, _ pane: Range<Int>) -> Int {
        let end = textEnd(y, pane)
        return end == pane.upperBound && end > pane.lowerBound && grid.cell(y, end - 1).glyph == 0x5C ? end - 1 : end
    }

    /// The column where the text of a row continues that of the row above, after a mark such as Vim's `showbreak`.
    private func textStart(_ y: Int, _ flow: Flow) -> Int {
        var start = flow.start
        let limit = min(flow.pane.upperBound - 1, start + 4)
        while start < limit, !isWordCell(grid.cell(y, start)) { start += 1 }
        guard start > flow.start, isWordCell(grid.cell(y, start)) else { return flow.start }
        let last = grid.cell(y, start - 1)
        return isBlankCell(last) || last.glyph > 0x7F ? start : flow.start
    }

    /// The column after the word with which a row continues the row above.
    private func wordEnd(_ y: Int, _ flow: Flow) -> Int {
        var end = textStart(y, flow)
        while end < flow.pane.upperBound, !isBlankCell(grid.cell(y, end)) { end += 1 }
        return end
    }

    /// Whether a program may have broken text at a cell: in a word, or anywhere if the row is wrapped.
    private func canBreak(_ cell: Cell, _ isWrapped: Bool) -> Bool {
        isWordCell(cell) || isWrapped && !isBlankCell(cell)
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
