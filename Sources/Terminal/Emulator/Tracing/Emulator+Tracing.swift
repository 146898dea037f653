/// Traces each character to its offset in the output.
extension Emulator {
    /// Processes output that starts at an offset; nil if its characters have no origin.
    mutating func feed(_ bytes: Span<UInt8>, from offset: UInt64?) {
        var index = 0
        while index < bytes.count {
            guard parser.state == .ground else {
                index = feedSequence(bytes, index)
                continue
            }
            let byte = bytes[index]
            if parser.utf8.missing == 0, byte >= 0x20 {
                origin = offset.map {
                    CellOrigin($0 + UInt64(index), isProtected: pen.attributes.contains(.protected))
                }
                penNumber = origin?.style(after: 0) ?? 0
            }
            if byte &- 0x20 < 0x5F, parser.utf8.missing == 0, let origin, sets.isPlain, !modes[.insert] {
                index = printTraced(bytes, index, origin)
            } else {
                feed(bytes.extracting(index..<index + 1))
                index += 1
            }
        }
    }

    /// Processes bytes of a sequence up to where it may end; returns the index where it stopped.
    private mutating func feedSequence(_ bytes: Span<UInt8>, _ start: Int) -> Int {
        var end = start + 1
        switch parser.state {
        case .parameters: while end < bytes.count, 0x20...0x3F ~= bytes[end - 1] { end += 1 }
        case .string: while end < bytes.count, 0x20...0x7E ~= bytes[end - 1] { end += 1 }
        default: break
        }
        feed(bytes.extracting(start..<end))
        return end
    }

    /// Writes the printable ASCII characters from `start`; returns the index after them.
    private mutating func printTraced(_ bytes: Span<UInt8>, _ start: Int, _ first: CellOrigin) -> Int {
        var index = start
        var origin = first
        while index < bytes.count, bytes[index] &- 0x20 < 0x5F {
            if cursor.isWrapPending { wrap() }
            let edge = rightEdge
            if cursor.x >= edge {
                index += 1
                origin.advance(1)
                continue
            }
            let part = index..<min(bytes.count, index + edge - cursor.x)
            let count = grid.write(bytes, part, cursor.y, cursor.x, origin: origin)
            index += count
            origin.advance(count)
            advance(count, edge)
            if count < part.count { break }
        }
        // Repetitions of the last character have its origin.
        origin.advance(-1)
        self.origin = origin
        penNumber = origin.style(after: 0)
        join = .printed
        lastScalar = UInt32(bytes[index - 1])
        return index
    }

    /// The style number for the origin of the next character.
    @inline(never)
    mutating func lookUpOrigin() -> UInt32 {
        let number = origin?.style(after: 0) ?? 0
        penNumber = number
        return number
    }
}

// MARK: - Origins of lines

extension Emulator {
    /// Writes the origins of the text that `append(_:_:_:to:)` writes for a row.
    func appendOrigins(_ y: Int, _ width: Int?, to origins: inout [UInt32]) {
        var row = grid.row(y)
        if let width {
            let isFilled = row.count == width && row.last?.isFiller == true
            if isFilled { row.removeLast() }
            appendOrigins(row, to: &origins)
            if !isFilled, row.count < width { origins += repeatElement(0, count: width - row.count) }
        } else {
            while let last = row.last, last.isEmpty { row.removeLast() }
            appendOrigins(row, to: &origins)
        }
    }

    /// All bytes of a character have the origin of its first byte; joined code points follow it in the output.
    private func appendOrigins(_ row: ArraySlice<Cell>, to origins: inout [UInt32]) {
        let isASCII = unsafe row.withUnsafeBufferPointer { cells in
            var glyphs: UInt32 = 0
            for index in 0..<cells.count { unsafe glyphs |= cells[index].glyph }
            return glyphs < 0x80
        }
        guard isASCII else {
            for cell in row {
                if cell.glyph < 0x80 {
                    origins.append(cell.isEmpty ? 0 : cell.style)
                } else {
                    appendOriginOfOther(cell, to: &origins)
                }
            }
            return
        }
        let count = row.count
        unsafe row.withUnsafeBufferPointer { cells in
            unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: max(count, 1)) { buffer in
                for index in 0..<count {
                    unsafe buffer[index] = cells[index].glyph == 0 ? 0 : cells[index].style
                }
                unsafe origins.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<count]))
            }
        }
    }

    private func appendOriginOfOther(_ cell: Cell, to origins: inout [UInt32]) {
        var text: [UInt8] = []
        Self.append(cell, tables, to: &text)
        guard cell.style >= CellOrigin.bit, !cell.isEmpty else {
            origins += repeatElement(0, count: text.count)
            return
        }
        let isCluster = cell.glyph & Cell.clusterBit != 0
        for index in text.indices { origins.append(cell.style &+ (isCluster ? UInt32(index) : 0)) }
    }

    /// Writes the origins of the line whose text was just collected.
    func appendOrigins(of range: Range<Int>, to origins: inout [UInt32]) {
        if range.lowerBound == 0, !isAlternate { origins += collected.headOrigins[collected.reportedHead] }
        for y in range { appendOrigins(y, y < range.upperBound - 1 ? columns : nil, to: &origins) }
    }

    mutating func collectOrigins(of range: Range<Int>) {
        var origins: [UInt32] = []
        swap(&origins, &collected.origins)
        appendOrigins(of: range, to: &origins)
        swap(&origins, &collected.origins)
    }

    // MARK: - Adjacent rows

    /// Collects the end of a line and the start of the next as one line, if a program may have broken a word there; at
    /// both ends of a collected line.
    mutating func collectJoins(of range: Range<Int>) {
        if range.lowerBound > 0, !grid.lines[range.lowerBound - 1].flags.contains(.wrapped) {
            collectJoin(at: range.lowerBound)
        }
        if range.upperBound < rows, !grid.lines[range.upperBound - 1].flags.contains(.wrapped) {
            collectJoin(at: range.upperBound)
        }
    }

    /// The maximum number of rows to examine on each side of a join.
    private static let joinedRows = 16

    /// Collects the words that meet above a row, or the entire rows if the upper one is full.
    private mutating func collectJoin(at y: Int) {
        guard y > 0, isWordCell(lastCell(y - 1)), isWordCell(grid.cell(y, 0)) else { return }
        guard mayMeetInToken(y) else { return }
        var first = y - 1
        while first > 0, y - first < Self.joinedRows, meets(first) { first -= 1 }
        var last = y
        while last + 1 < rows, last - y < Self.joinedRows, meets(last + 1) { last += 1 }
        var text: [UInt8] = []
        var origins: [UInt32] = []
        var joins: [TracedScreen.Join] = []
        var isAnyFull = false
        for row in first...last {
            if row > first, !grid.lines[row - 1].flags.contains(.wrapped) {
                joins.append(TracedScreen.Join(offset: text.count, isFull: isFull(row - 1)))
                isAnyFull = isAnyFull || isFull(row - 1)
            }
            let isOpen = grid.lines[row].flags.contains(.wrapped) && row < last
            Self.append(grid.row(row), isOpen ? columns : nil, tables, to: &text)
            appendOrigins(row, isOpen ? columns : nil, to: &origins)
        }
        var range = 0..<text.count
        if !isAnyFull, let firstJoin = joins.first, let lastJoin = joins.last {
            // Only these two words can be one broken word.
            let start = text[..<firstJoin.offset].lastIndex(of: 0x20).map { $0 + 1 } ?? 0
            let end = text[lastJoin.offset...].firstIndex(of: 0x20) ?? text.count
            range = start..<end
            joins = joins.map { TracedScreen.Join(offset: $0.offset - start, isFull: false) }
        }
        guard range.count >= Self.joinedCharacters else { return }
        collected.text += text[range]
        collected.origins += origins[range]
        collected.endLine(from: collected.text.count - range.count, isWhole: false, joins: joins)
    }

    /// Whether the words above and below are long enough for a token, or the token may span more than two rows.
    private func mayMeetInToken(_ y: Int) -> Bool {
        if isFull(y - 1) { return true }
        let upper = Int(grid.lines[y - 1].extent)
        var start = upper
        while start > 0, grid.cell(y - 1, start - 1).isEmpty || grid.cell(y - 1, start - 1).content == 0x20 {
            start -= 1
        }
        let last = start
        while start > 0, !isBlankCell(grid.cell(y - 1, start - 1)) { start -= 1 }
        let lower = Int(grid.lines[y].extent)
        var end = 0
        while end < lower, !isBlankCell(grid.cell(y, end)) { end += 1 }
        return start == 0 || end == lower || last - start + end >= Self.joinedCharacters
    }

    /// Shorter text is not considered a token.
    private static let joinedCharacters = 12

    /// Whether a cell is shown as a space.
    private func isBlankCell(_ cell: Cell) -> Bool { cell.isEmpty || cell.glyph == 0x20 }

    /// Whether a row continues a word from the row above, which that word fills completely.
    private func meets(_ y: Int) -> Bool {
        guard isWordCell(lastCell(y - 1)), isWordCell(grid.cell(y, 0)) else { return false }
        return grid.lines[y - 1].flags.contains(.wrapped)
            || (0..<Int(grid.lines[y].extent)).allSatisfy { isWordCell(grid.cell(y, $0)) }
    }

    private func lastCell(_ y: Int) -> Cell {
        var x = Int(grid.lines[y].extent) - 1
        while x >= 0, grid.cell(y, x).isEmpty || grid.cell(y, x).content == 0x20 { x -= 1 }
        return x < 0 ? .blank : grid.cell(y, x)
    }

    private func isFull(_ y: Int) -> Bool {
        Int(grid.lines[y].extent) >= columns - 1
    }

    /// Whether a cell can be part of a token: the unreserved characters of URLs and those of Base64 (RFC 3986 §2.3, RFC
    /// 4648 §4).
    private func isWordCell(_ cell: Cell) -> Bool {
        switch cell.glyph {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D...0x2F, 0x3D, 0x5F, 0x7E, 0x25: true
        default: false
        }
    }
}
