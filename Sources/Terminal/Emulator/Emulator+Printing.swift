/// Printing characters at the cursor.
extension Emulator {
    // MARK: - ASCII

    /// Writes the printable ASCII characters from `start`; returns the index after them.
    mutating func printASCII(_ bytes: Span<UInt8>, _ start: Int) -> Int {
        guard sets.isPlain, !modes[.insert], join != .prepended else {
            print(UInt32(bytes[start]))
            return start + 1
        }
        let style = penNumber ?? lookUpPen()
        var index = start
        while index < bytes.count, bytes[index] &- 0x20 < 0x5F {
            if cursor.isWrapPending { wrap() }
            let edge = rightEdge
            if cursor.x >= edge {
                // Text in the hidden half of a double-width row is not written.
                index += 1
                continue
            }
            let part = index..<min(bytes.count, index + edge - cursor.x)
            let count = grid.write(bytes, part, cursor.y, cursor.x) { _ in style }
            index += count
            advance(count, edge)
            if count < part.count { break }
        }
        join = .printed
        lastScalar = UInt32(bytes[index - 1])
        return index
    }

    /// The end of the cursor's row: the right margin if the cursor is to the left of it, or else the screen's edge.
    ///
    /// In a double-width row, the cursor can be to the right of this column.
    @inline(__always)
    var rightEdge: Int {
        let edge = marginEdge
        return grid.lines[cursor.y].flags.isDisjoint(with: .size) ? edge : min(edge, Grid.wideColumns(columns))
    }

    /// The same as `rightEdge`, but regardless of the size of the row.
    @inline(__always)
    private var marginEdge: Int { cursor.x < region.right ? region.right : columns }

    /// Moves the cursor past the written cells; at the edge, it stays in the last column with a pending wrap.
    @inline(__always)
    mutating func advance(_ cells: Int, _ edge: Int) {
        cursor.x += cells
        if cursor.x >= edge {
            cursor.x = edge - 1
            cursor.isWrapPending = true
        }
    }

    /// Continues in the next row; without autowrap (DECAWM), the last column is overwritten.
    mutating func wrap() {
        guard modes[.autoWrap] else { return }
        cursor.isWrapPending = false
        let continuesBelow = cursor.y < rows - 1 || region.bottom == rows
        if continuesBelow, region.right == columns || cursor.x >= region.right {
            grid.lines[cursor.y].flags.insert(.wrapped)
        }
        let left = cursor.x >= region.left ? region.left : 0
        index()
        cursor.x = left
    }

    /// Looks up the pen in the style table, once after each change.
    mutating func lookUpPen() -> UInt32 {
        if tables.styles.count >= tables.limit { forgetUnused() }
        let number = tables.styles.number(of: pen)
        penNumber = number
        return number
    }

    // MARK: - Any character

    /// Writes a character of the output, or joins it to the previous one.
    mutating func print(_ scalar: UInt32) {
        let shown = scalar < 0x80 ? sets.shown(scalar, isNational: modes[.nationalSets]) : scalar
        if sets.single != nil { sets.single = nil }
        show(shown)
    }

    /// Writes a character regardless of the character sets, or joins it to the previous one.
    @inline(__always)
    mutating func show(_ scalar: UInt32) {
        let traits = ScalarTraits(scalar)
        if traits.kind != .other || join == .prepended, joinPrevious(scalar, traits) { return }
        place(scalar, traits.cells == 2 ? 2 : 1)
        lastScalar = scalar
        // Without mode 2027, each code point is a separate character unless it has zero width.
        join = modes[.graphemes] ? traits.joining : .printed
    }

    /// Joins a code point to the previous character if it belongs to the same grapheme cluster (UAX #29).
    private mutating func joinPrevious(_ scalar: UInt32, _ traits: ScalarTraits) -> Bool {
        let place = previous
        switch traits.kind {
        case .extending where traits.cells == 0 || join == .pictograph:
            joinExtending(scalar, place)
            if join == .regional || join == .prepended { join = .printed }
        case .linker where traits.cells == 0:
            joinExtending(scalar, place)
            if join == .consonant { join = .linked }
        case .joiner:
            joinExtending(scalar, place)
            if join == .pictograph { join = .joiner }
        case .pictograph where join == .joiner, .pictographEmoji where join == .joiner:
            append(scalar, place)
            join = .pictograph
        case .regional where join == .regional:
            append(scalar, place)
            widen(place)
            join = .printed
        case .consonant where join == .linked && isWideable(place):
            append(scalar, place)
            widen(place)
            join = .consonant
        case .spacing where joinsSpacing(place), .linker where joinsSpacing(place):
            append(scalar, place)
            widen(place)
            join = traits.kind == .linker && join == .consonant ? .linked : .printed
        default:
            guard join == .prepended, isWideable(place) else { return false }
            append(scalar, place)
            widen(place)
            join = traits.joining
        }
        return true
    }

    /// Writes a character to its own cells.
    private mutating func place(_ content: UInt32, _ cells: Int) {
        let style = penNumber ?? lookUpPen()
        if cursor.isWrapPending { wrap() }
        var edge = rightEdge
        guard cursor.x < edge else { return }
        if cells == 2, edge - cursor.x < 2 {
            guard makeRoom(edge) else {
                cursor.isWrapPending = false
                return
            }
            edge = rightEdge
        }
        let isWide = cells == 2 && edge - cursor.x >= 2
        if modes[.insert] {
            let range = cursor.x..<marginEdge
            grid.insertCells(cursor.y, range, isWide ? 2 : 1, .blank)
        }
        if isWide {
            grid.putWide(content, style, cursor.y, cursor.x)
        } else {
            grid.put(Cell(glyph: content, style: style), cursor.y, cursor.x)
        }
        advance(isWide ? 2 : 1, edge)
    }

    /// Moves the cursor to the next row if only one cell is left for a two-cell character; returns whether the character
    /// is written.
    ///
    /// As in xterm, the cell that is left keeps its contents, and without autowrap the character is dropped.
    private mutating func makeRoom(_ edge: Int) -> Bool {
        let left = cursor.x >= region.left && cursor.x < region.right ? region.left : 0
        // In a row of one cell, half of the character is shown.
        guard edge - left >= 2 else { return true }
        guard modes[.autoWrap] else { return false }
        var last = grid.cell(cursor.y, cursor.x)
        if last.isEmpty {
            last.glyph = Cell.fillerBit
            grid.put(last, cursor.y, cursor.x)
        }
        wrap()
        return true
    }

    // MARK: - Joining

    private typealias Place = (y: Int, x: Int)

    /// The row and column of the character before the cursor; nil at the start of a line.
    @inline(__always)
    private var previous: Place? {
        // After CBT, a wrap can be pending to the left of the edge.
        var x = cursor.isWrapPending && cursor.x + 1 == rightEdge ? cursor.x : cursor.x - 1
        guard x >= 0 else { return wrappedPrevious }
        if x > 0, grid.cell(cursor.y, x).isTail { x -= 1 }
        return (cursor.y, x)
    }

    /// The row and column of the last character of the previous row; nil unless that row wraps.
    @inline(__always)
    private var wrappedPrevious: Place? {
        guard cursor.y > 0, grid.lines[cursor.y - 1].flags.contains(.wrapped) else { return nil }
        var x = columns - 1
        if x > 0, grid.cell(cursor.y - 1, x).isFiller { x -= 1 }
        if x > 0, grid.cell(cursor.y - 1, x).isTail { x -= 1 }
        return (cursor.y - 1, x)
    }

    private mutating func joinExtending(_ scalar: UInt32, _ place: Place?) {
        append(scalar, place)
        guard scalar == ScalarTraits.emojiSelector, join != .moved, modes[.graphemes], let place else { return }
        let base = tables.clusters.base(of: grid.cell(place.y, place.x).content)
        if ScalarTraits(base).canBecomeEmoji {
            widen(place)
            join = .pictograph
        }
    }

    /// Whether a spacing mark joins the previous character.
    @inline(__always)
    private func joinsSpacing(_ place: Place?) -> Bool {
        join != .moved && modes[.graphemes] && isWideable(place)
    }

    /// Whether the character before the cursor is, or can become, two cells wide.
    @inline(__always)
    private func isWideable(_ place: Place?) -> Bool {
        guard let place, place.y == cursor.y else { return false }
        if grid.cell(place.y, place.x).isWide || place.x + 2 <= rightEdge { return true }
        return modes[.autoWrap] && rightEdge - region.left >= 2 && cursor.isWrapPending
    }

    /// Appends a code point to the character before the cursor.
    private mutating func append(_ scalar: UInt32, _ place: Place?) {
        guard let place else { return }
        if tables.clusters.count >= tables.limit { forgetUnused() }
        var cell = grid.cell(place.y, place.x)
        let head = cell.content == 0 ? 0x20 : cell.content
        guard let joined = tables.clusters.joining(head, scalar) else { return }
        cell.glyph = cell.glyph & ~Cell.contentMask | joined
        grid.replace(cell, place.y, place.x)
    }

    /// Widens the character before the cursor to two cells, moving it to the next row if there is no room.
    private mutating func widen(_ place: Place?) {
        guard let place, place.y == cursor.y else { return }
        let cell = grid.cell(place.y, place.x)
        guard !cell.isWide else { return }
        let edge = rightEdge
        guard place.x + 2 > edge else {
            grid.putWide(cell.content, cell.style, place.y, place.x)
            cursor.x = place.x
            return advance(2, edge)
        }
        guard modes[.autoWrap], edge - region.left >= 2, cursor.isWrapPending else { return }
        grid.replace(Cell(glyph: Cell.fillerBit, style: 0), place.y, place.x)
        wrap()
        grid.putWide(cell.content, cell.style, cursor.y, cursor.x)
        advance(2, rightEdge)
    }

    // MARK: - Tables

    /// Removes styles, clusters and links that are not in use.
    mutating func forgetUnused() {
        var styles = tables.styles.unmarked
        var clusters = tables.clusters.unmarked
        for each in [grid, otherGrid].compactMap({ $0 }) {
            each.forEachCell { cell in
                if cell.style < CellOrigin.bit { styles[Int(cell.style)] = true }
                if cell.glyph & Cell.clusterBit != 0 { clusters[Int(cell.glyph & 0xFF_FFFF)] = true }
            }
        }
        tables.clusters.markHeads(&clusters)
        var links = tables.links.unmarked
        for pen in [pen, saved.pen, otherSaved.pen] { links[Int(pen.link)] = true }
        for number in styles.indices where styles[number] { links[Int(tables.styles[UInt32(number)].link)] = true }
        tables.styles.keep(styles)
        tables.clusters.keep(clusters)
        tables.links.keep(links)
        let used = max(tables.styles.count, tables.clusters.count, tables.links.count)
        tables.limit = max(4096, used * 2, columns * rows / 2)
        // The number of an origin remains valid.
        if penNumber ?? 0 < CellOrigin.bit { penNumber = nil }
    }
}
