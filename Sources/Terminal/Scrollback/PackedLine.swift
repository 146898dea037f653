/// A row of cells in packed form: flags, text, and style runs.
///
/// A row of ASCII in the plain style takes one byte per cell, plus two or three bytes. Packed rows are never written to
/// a file: the process that packs a row also unpacks it.
enum PackedLine {
    // Markers within the UTF-8 text. NUL is an empty cell.
    private static let wide: UInt8 = 1
    private static let cluster: UInt8 = 2
    private static let filler: UInt8 = 3

    static func flags(of record: ArraySlice<UInt8>) -> LineFlags {
        LineFlags(rawValue: record[record.startIndex])
    }

    // MARK: - Writing

    static func append(_ cells: ArraySlice<Cell>, _ flags: LineFlags, _ tables: CellTables, to bytes: inout [UInt8]) {
        bytes.append(flags.rawValue)
        guard !appendPlain(cells, to: &bytes) else { return }
        var text: [UInt8] = []
        text.reserveCapacity(cells.count * 4)
        for cell in cells { append(cell, tables, to: &text) }
        appendNumber(text.count << 1 | 1, to: &bytes)
        bytes += text
        var index = cells.startIndex
        while index < cells.endIndex {
            let style = cells[index].style
            var end = index + 1
            while end < cells.endIndex, cells[end].style == style { end += 1 }
            appendNumber(end - index, to: &bytes)
            append(tables.style(style), tables, to: &bytes)
            index = end
        }
    }

    /// Writes a row of plain ASCII; returns false if it contains anything else.
    private static func appendPlain(_ cells: ArraySlice<Cell>, to bytes: inout [UInt8]) -> Bool {
        let isPlain = unsafe cells.withUnsafeBufferPointer { cells in
            var glyphs: UInt32 = 0
            var styles: UInt32 = 0
            for index in 0..<cells.count {
                unsafe glyphs |= cells[index].glyph
                unsafe styles |= cells[index].style
            }
            return glyphs < 0x80 && styles == 0
        }
        guard isPlain else { return false }
        appendNumber(cells.count << 1, to: &bytes)
        let count = cells.count
        unsafe cells.withUnsafeBufferPointer { cells in
            unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(count, 1)) { buffer in
                for index in 0..<count { unsafe buffer[index] = UInt8(truncatingIfNeeded: cells[index].glyph) }
                unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<count]))
            }
        }
        return true
    }

    private static func append(_ cell: Cell, _ tables: CellTables, to text: inout [UInt8]) {
        if cell.isTail { return }
        if cell.isFiller { return text.append(filler) }
        if cell.isWide { text.append(wide) }
        if cell.glyph & Cell.clusterBit != 0 {
            text.append(cluster)
            text.append(UInt8(tables.clusters.scalarCount(of: cell.content)))
        }
        tables.clusters.forEachScalar(of: cell.content) { appendScalar($0, to: &text) }
    }

    static func appendScalar(_ scalar: UInt32, to text: inout [UInt8]) {
        guard scalar >= 0x80 else { return text.append(UInt8(scalar)) }
        if scalar < 0x800 {
            text.append(UInt8(0xC0 | scalar >> 6))
        } else {
            if scalar < 0x10000 {
                text.append(UInt8(0xE0 | scalar >> 12))
            } else {
                text.append(UInt8(0xF0 | scalar >> 18))
                text.append(UInt8(0x80 | scalar >> 12 & 0x3F))
            }
            text.append(UInt8(0x80 | scalar >> 6 & 0x3F))
        }
        text.append(UInt8(0x80 | scalar & 0x3F))
    }

    private static func append(_ style: Style, _ tables: CellTables, to bytes: inout [UInt8]) {
        let link = tables.link(of: style)
        var mask: UInt8 = link == nil ? 0 : 8
        if style.foreground != .standard { mask |= 1 }
        if style.background != .standard { mask |= 2 }
        if style.underlineColor != .standard { mask |= 4 }
        if !style.attributes.isEmpty || style.underline != .none { mask |= 16 }
        bytes.append(mask)
        if mask & 1 != 0 { appendNumber(Int(style.foreground.raw), to: &bytes) }
        if mask & 2 != 0 { appendNumber(Int(style.background.raw), to: &bytes) }
        if mask & 4 != 0 { appendNumber(Int(style.underlineColor.raw), to: &bytes) }
        if mask & 16 != 0 {
            appendNumber(Int(style.attributes.rawValue) << 3 | Int(style.underline.rawValue), to: &bytes)
        }
        guard let link else { return }
        for text in [link.id, link.target] {
            appendNumber(text.utf8.count, to: &bytes)
            bytes += Array(text.utf8)
        }
    }

    /// Writes a number in groups of seven bits, one per byte, least significant first.
    private static func appendNumber(_ number: Int, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    // MARK: - Reading

    /// Returns the cells of a record, adding their styles, clusters and links to the tables.
    static func cells(of record: ArraySlice<UInt8>, _ tables: inout CellTables) -> [Cell] {
        var rest = record.dropFirst()
        let header = number(&rest)
        let text = rest.prefix(header >> 1)
        rest = rest.dropFirst(header >> 1)
        guard header & 1 != 0 else { return text.map { Cell(glyph: UInt32($0), style: 0) } }
        var cells = glyphs(text, &tables).map { Cell(glyph: $0, style: 0) }
        var index = 0
        while index < cells.count, !rest.isEmpty {
            let end = min(index + number(&rest), cells.count)
            let style = tables.styles.number(of: self.style(&rest, &tables))
            while index < end {
                cells[index].style = style
                index += 1
            }
        }
        return cells
    }

    private static func glyphs(_ text: ArraySlice<UInt8>, _ tables: inout CellTables) -> [UInt32] {
        var glyphs: [UInt32] = []
        var scalars = String(decoding: text, as: UTF8.self).unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            var first = scalar.value
            let isWide = first == UInt32(wide)
            if isWide { first = scalars.next()?.value ?? 0 }
            if first == UInt32(filler) {
                glyphs.append(Cell.fillerBit)
                continue
            }
            var content = first
            if first == UInt32(cluster), let count = scalars.next()?.value, let base = scalars.next() {
                content = base.value
                for _ in 1..<max(count, 1) {
                    guard let next = scalars.next() else { break }
                    content = tables.clusters.joining(content, next.value) ?? content
                }
            }
            glyphs.append(isWide ? content | Cell.wideBit : content)
            if isWide { glyphs.append(Cell.tailBit) }
        }
        return glyphs
    }

    private static func style(_ rest: inout ArraySlice<UInt8>, _ tables: inout CellTables) -> Style {
        var style = Style.plain
        let mask = rest.popFirst() ?? 0
        if mask & 1 != 0 { style.foreground = Color(raw: UInt32(truncatingIfNeeded: number(&rest))) }
        if mask & 2 != 0 { style.background = Color(raw: UInt32(truncatingIfNeeded: number(&rest))) }
        if mask & 4 != 0 { style.underlineColor = Color(raw: UInt32(truncatingIfNeeded: number(&rest))) }
        if mask & 16 != 0 {
            let looks = number(&rest)
            style.attributes = Style.Attributes(rawValue: UInt16(truncatingIfNeeded: looks >> 3))
            style.underline = Style.Underline(rawValue: UInt8(looks & 7)) ?? .none
        }
        if mask & 8 != 0 {
            let id = text(&rest)
            style.link = tables.links.number(of: Link(id: id, target: text(&rest)))
        }
        return style
    }

    private static func text(_ rest: inout ArraySlice<UInt8>) -> String {
        let count = number(&rest)
        defer { rest = rest.dropFirst(count) }
        return String(decoding: rest.prefix(count), as: UTF8.self)
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> Int {
        var result = 0
        var shift = 0
        while let byte = rest.popFirst() {
            result |= Int(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 { break }
        }
        return result
    }
}
