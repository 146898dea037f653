/// Traces each character to its offset in the output.
extension Emulator {
    /// Processes output that starts at `offset`, which is nil if its characters have no origin.
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
            if collected.hasDueJoins { keepJoins() }
            if byte &- 0x20 < 0x5F, parser.utf8.missing == 0, let origin, sets.isPlain, !modes[.insert] {
                index = printTraced(bytes, index, origin)
            } else {
                feed(bytes.extracting(index..<index + 1))
                index += 1
            }
        }
    }

    /// Processes the bytes of a sequence up to the first one that may end it; returns the index after them.
    private mutating func feedSequence(_ bytes: Span<UInt8>, _ start: Int) -> Int {
        var end = start + 1
        switch parser.state {
        case .control, .parameters: while end < bytes.count, 0x20...0x3F ~= bytes[end - 1] { end += 1 }
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
            if cursor.isWrapPending {
                wrap()
                if collected.hasDueJoins { keepJoins() }
            }
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
        // Repetitions of the last character (REP) have the same origin.
        origin.advance(-1)
        self.origin = origin
        penNumber = origin.style(after: 0)
        join = .printed
        lastScalar = UInt32(bytes[index - 1])
        return index
    }

    /// The style index for the origin of the next character.
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

    /// Writes the origins of the bytes of a row's characters.
    ///
    /// If a character is a single code point, each of its bytes gets the character's origin; the bytes of a cluster get
    /// consecutive offsets, starting at the cluster's origin.
    func appendOrigins(_ row: ArraySlice<Cell>, to origins: inout [UInt32]) {
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
}
