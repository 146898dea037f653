import Core

/// Text collected from a screen; on a traced screen, with the origin of each byte.
struct CollectedText: Sendable {
    var bytes: [UInt8] = []
    /// For each byte, the origin of its cell, or 0 for none; empty unless the screen is traced.
    private(set) var origins: [UInt32] = []
    let isTraced: Bool

    init(isTraced: Bool = false) {
        self.isTraced = isTraced
    }

    var count: Int { bytes.count }

    /// Adds the text of a row, with spaces for empty cells except after the last character.
    ///
    /// With a width, the row is padded to it, except for a filler cell before a wide character.
    mutating func append(_ row: ArraySlice<Cell>, _ width: Int?, _ tables: CellTables) {
        var row = row
        guard let width else {
            while let last = row.last, last.isEmpty { row.removeLast() }
            return append(row, tables)
        }
        let isFilled = row.count == width && row.last?.isFiller == true
        if isFilled { row.removeLast() }
        append(row, tables)
        if !isFilled, row.count < width { append(repeatElement(0x20, count: width - row.count)) }
    }

    /// Adds bytes without origins.
    mutating func append(_ text: some Collection<UInt8>) {
        bytes += text
        if isTraced { origins += repeatElement(0, count: text.count) }
    }

    mutating func append(_ other: CollectedText, from start: Int = 0) {
        bytes += other.bytes[start...]
        if isTraced { origins += other.origins[start...] }
    }

    mutating func remove(_ range: Range<Int>) {
        bytes.removeSubrange(range)
        if isTraced { origins.removeSubrange(range) }
    }

    /// Removes the text, but keeps memory for up to `kept` bytes.
    mutating func removeAll(keeping kept: Int) {
        bytes.removeAll(keepingCapacity: bytes.capacity <= kept)
        origins.removeAll(keepingCapacity: origins.capacity <= kept)
    }

    // MARK: - Cells

    private mutating func append(_ row: ArraySlice<Cell>, _ tables: CellTables) {
        let isASCII = unsafe row.withUnsafeBufferPointer { cells in
            var glyphs: UInt32 = 0
            for index in 0..<cells.count { unsafe glyphs |= cells[index].glyph }
            return glyphs < 0x80
        }
        guard isASCII else {
            for cell in row { append(cell, tables) }
            return
        }
        let count = row.count
        unsafe row.withUnsafeBufferPointer { cells in
            unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(count, 1)) { buffer in
                for index in 0..<count {
                    unsafe buffer[index] = max(UInt8(truncatingIfNeeded: cells[index].glyph), 0x20)
                }
                unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<count]))
            }
        }
        if isTraced { origins += row.lazy.map { $0.isEmpty ? 0 : $0.style } }
    }

    /// Adds a character.
    ///
    /// Each byte of a single code point has the cell's origin; the bytes of a cluster have consecutive offsets, starting
    /// at the cell's origin.
    private mutating func append(_ cell: Cell, _ tables: CellTables) {
        if cell.isTail { return }
        if cell.isEmpty { return append(CollectionOfOne(0x20)) }
        let start = bytes.count
        let isCluster = cell.glyph & Cell.clusterBit != 0
        tables.clusters.forEachScalar(of: cell.content) { append($0) }
        guard isTraced else { return }
        let hasOrigin = cell.style >= CellOrigin.bit
        for index in 0..<UInt32(bytes.count - start) {
            origins.append(!hasOrigin ? 0 : isCluster ? cell.style &+ index : cell.style)
        }
    }

    /// Adds a code point, unless it could reorder or break text on a terminal.
    private mutating func append(_ scalar: UInt32) {
        guard let scalar = Unicode.Scalar(scalar), !scalar.isUnsafeForTerminals else { return }
        PackedLine.appendScalar(scalar.value, to: &bytes)
    }
}
