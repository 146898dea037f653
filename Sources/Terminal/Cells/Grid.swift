/// The cells of one of the two screens of a terminal.
///
/// Rows are moved by exchanging entries of `lines`; the cells stay in place, in one array that grows with the rows in
/// use. All row and column arguments must be on the screen.
struct Grid: Sendable {
    let columns: Int
    let rows: Int
    private(set) var cells: [Cell] = []
    var lines: [Line]
    private var slots: Int32 = 0

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        lines = [Line](repeating: Line(), count: rows)
    }

    // MARK: - Reading

    /// The cells of a row up to the last non-blank one, without those hidden while the row is double-width.
    func row(_ y: Int) -> ArraySlice<Cell> {
        let row = wholeRow(y)
        guard !lines[y].flags.isDisjoint(with: .size) else { return row }
        let shown = row.prefix(Self.wideColumns(columns))
        // The right half of the last character is hidden.
        return shown.last?.isWide == true ? shown.dropLast() : shown
    }

    /// The cells of a row up to the last non-blank one, including those hidden while the row is double-width.
    ///
    /// DECSWL makes the hidden cells visible again.
    func wholeRow(_ y: Int) -> ArraySlice<Cell> {
        let line = lines[y]
        let base = Int(line.slot) * columns
        return line.slot < 0 ? [] : cells[base..<base + Int(line.extent)]
    }

    /// The number of visible columns of a double-width row.
    static func wideColumns(_ columns: Int) -> Int { max(columns / 2, 1) }

    @inline(__always)
    func cell(_ y: Int, _ x: Int) -> Cell {
        let line = lines[y]
        return x < Int(line.extent) ? cells[Int(line.slot) * columns + x] : .blank
    }

    // MARK: - Writing

    /// Marks a row as changed, and returns the index of its first cell; allocates the cells if necessary.
    @inline(__always)
    private mutating func base(_ y: Int) -> Int {
        let line = lines[y]
        if !line.isChanged { markChanged(y) }
        return Int(line.slot >= 0 ? line.slot : addSlot(y)) * columns
    }

    @inline(never)
    private mutating func markChanged(_ y: Int) {
        lines[y].isChanged = true
    }

    private mutating func addSlot(_ y: Int) -> Int32 {
        let slot = slots
        slots += 1
        lines[y].slot = slot
        cells.append(contentsOf: repeatElement(.blank, count: columns))
        return slot
    }

    /// Writes the leading printable ASCII characters in a range of the bytes; returns their number.
    ///
    /// `style` returns the style of the character at a distance from the first one.
    @inline(__always)
    mutating func write(
        _ bytes: Span<UInt8>,
        _ part: Range<Int>,
        _ y: Int,
        _ x: Int,
        style: (_ distance: Int) -> UInt32
    ) -> Int {
        let start = base(y) + x
        if x > 0 { blankSplitLeft(start) }
        var count = 0
        unsafe cells.withUnsafeMutableBufferPointer { cells in
            while count < part.count {
                let byte = unsafe bytes[unchecked: part.lowerBound &+ count]
                guard byte &- 0x20 < 0x5F else { break }
                unsafe cells[start &+ count] = Cell(glyph: UInt32(byte), style: style(count))
                count &+= 1
            }
        }
        let end = x + count
        if end < columns { blankSplitRight(start + count) }
        if end > Int(lines[y].extent) { lines[y].extent = Int32(end) }
        return count
    }

    /// Writes one cell, blanking the other half of a wide character it overwrites.
    @inline(__always)
    mutating func put(_ cell: Cell, _ y: Int, _ x: Int) {
        let place = base(y) + x
        if x > 0 { blankSplitLeft(place) }
        cells[place] = cell
        if x + 1 < columns { blankSplitRight(place + 1) }
        if x + 1 > Int(lines[y].extent) { lines[y].extent = Int32(x + 1) }
    }

    /// Writes a two-cell character.
    @inline(__always)
    mutating func putWide(_ content: UInt32, _ style: UInt32, _ y: Int, _ x: Int) {
        let place = base(y) + x
        if x > 0 { blankSplitLeft(place) }
        cells[place] = Cell(glyph: content | Cell.wideBit, style: style)
        cells[place + 1] = Cell(glyph: Cell.tailBit, style: style)
        if x + 2 < columns { blankSplitRight(place + 2) }
        if x + 2 > Int(lines[y].extent) { lines[y].extent = Int32(x + 2) }
    }

    /// Replaces a cell without changing its neighbors.
    mutating func replace(_ cell: Cell, _ y: Int, _ x: Int) {
        let place = base(y) + x
        cells[place] = cell
        if x + 1 > Int(lines[y].extent) { lines[y].extent = Int32(x + 1) }
    }

    /// Blanks the left half of a wide character that a write starting at `place` splits.
    @inline(__always)
    private mutating func blankSplitLeft(_ place: Int) {
        if cells[place].isTail { blankHalf(place - 1) }
    }

    /// Blanks half of a character; uses a space if the cell has a non-default style.
    private mutating func blankHalf(_ place: Int) {
        cells[place].glyph = cells[place].style == 0 ? 0 : 0x20
    }

    /// Replaces the right half of a wide character with a space, if a write before `place` overwrote its left half.
    @inline(__always)
    private mutating func blankSplitRight(_ place: Int) {
        if cells[place].isTail { cells[place].glyph = 0x20 }
    }

    // MARK: - Erasing

    /// Erases a range of columns of a row.
    mutating func erase(_ y: Int, _ range: Range<Int>, _ blank: Cell) {
        guard !range.isEmpty else { return }
        if blank == .blank, range.lowerBound >= Int(lines[y].extent) { return }
        let start = base(y)
        if range.lowerBound > 0 { blankSplitLeft(start + range.lowerBound) }
        if range.upperBound < columns, cells[start + range.upperBound].isTail {
            blankHalf(start + range.upperBound)
        }
        let extent = Int(lines[y].extent)
        let end = blank == .blank ? min(range.upperBound, extent) : range.upperBound
        for place in start + range.lowerBound..<start + max(end, range.lowerBound) { cells[place] = blank }
        if blank != .blank {
            lines[y].extent = Int32(max(extent, range.upperBound))
        } else if range.upperBound >= extent {
            lines[y].extent = Int32(range.lowerBound)
        }
    }

    /// Erases the unprotected cells in a range of columns of a row.
    mutating func eraseUnprotected(_ y: Int, _ range: Range<Int>, _ blank: Cell, _ isProtected: (UInt32) -> Bool) {
        for x in range where !isProtected(cell(y, x).style) { erase(y, x..<x + 1, blank) }
    }

    /// Makes a row blank, and resets its attributes.
    @inline(__always)
    mutating func clear(_ y: Int, _ blank: Cell) {
        let line = lines[y]
        lines[y] = Line(slot: line.slot)
        if line.slot >= 0, line.extent > 0 {
            let start = Int(line.slot) * columns
            unsafe cells.withUnsafeMutableBufferPointer { cells in
                for place in start..<start + Int(line.extent) { unsafe cells[place] = .blank }
            }
        }
        if blank != .blank { erase(y, 0..<columns, blank) }
    }

    // MARK: - Moving

    /// Moves the rows of a range toward its start; rows that leave the range reappear blank at its end.
    mutating func rotateUp(_ range: Range<Int>, _ count: Int, _ blank: Cell) {
        for y in range.lowerBound..<range.lowerBound + count { clear(y, blank) }
        if count == 1 {
            let first = lines[range.lowerBound]
            unsafe lines.withUnsafeMutableBufferPointer { lines in
                for y in range.lowerBound..<range.upperBound - 1 { unsafe lines[y] = lines[y + 1] }
            }
            lines[range.upperBound - 1] = first
        } else {
            let moved = lines[range.lowerBound..<range.lowerBound + count]
            lines.replaceSubrange(range, with: Array(lines[range.lowerBound + count..<range.upperBound]) + moved)
        }
    }

    /// Moves the rows of a range toward its end; rows that leave the range reappear blank at its start.
    mutating func rotateDown(_ range: Range<Int>, _ count: Int, _ blank: Cell) {
        for y in range.upperBound - count..<range.upperBound { clear(y, blank) }
        let moved = lines[range.upperBound - count..<range.upperBound]
        lines.replaceSubrange(range, with: Array(moved) + lines[range.lowerBound..<range.upperBound - count])
    }

    /// Copies part of a row to another position in the same or another row; the two may overlap.
    mutating func copy(_ source: Int, _ from: Range<Int>, to target: Int, _ x: Int) {
        let copied = from.map { cell(source, $0) }
        erase(target, x..<x + copied.count, .blank)
        let start = base(target) + x
        for (offset, cell) in copied.enumerated() { cells[start + offset] = cell }
        lines[target].extent = max(lines[target].extent, Int32(x + copied.count))
        blankSplitEnds(target, x..<x + copied.count)
    }

    /// Blanks the halves of wide characters that were split at either end of a range of moved cells.
    private mutating func blankSplitEnds(_ y: Int, _ range: Range<Int>) {
        let start = base(y)
        if cells[start + range.lowerBound].isTail { blankHalf(start + range.lowerBound) }
        if cells[start + range.upperBound - 1].isWide { blankHalf(start + range.upperBound - 1) }
    }

    /// Inserts blank cells at the start of a range of columns, moving the cells after them to the right.
    mutating func insertCells(_ y: Int, _ range: Range<Int>, _ count: Int, _ blank: Cell) {
        let count = min(count, range.count)
        if count < range.count {
            copy(y, range.lowerBound..<range.upperBound - count, to: y, range.lowerBound + count)
        }
        erase(y, range.lowerBound..<range.lowerBound + count, blank)
    }

    /// Deletes the cells at the start of a range of columns, moving the cells after them to the left.
    mutating func deleteCells(_ y: Int, _ range: Range<Int>, _ count: Int, _ blank: Cell) {
        let count = min(count, range.count)
        if count < range.count {
            copy(y, range.lowerBound + count..<range.upperBound, to: y, range.lowerBound)
        }
        erase(y, range.upperBound - count..<range.upperBound, blank)
    }

    // MARK: - Table use

    /// Calls `body` for each non-blank cell.
    func forEachCell(_ body: (Cell) -> Void) {
        for line in lines where line.slot >= 0 {
            let base = Int(line.slot) * columns
            for place in base..<base + Int(line.extent) { body(cells[place]) }
        }
    }
}
