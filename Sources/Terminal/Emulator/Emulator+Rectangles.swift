/// Rectangular areas (VT420 manual): erasing, filling, copying, and changing attributes.
extension Emulator {
    /// The rows and columns of the rectangle given by four parameters; nil if it is empty.
    func rectangle(_ first: Int) -> (rows: Range<Int>, columns: Range<Int>)? {
        let isOrigin = modes[.origin]
        let (height, width) = isOrigin ? (region.bottom, region.right) : (rows, columns)
        let (rowOffset, columnOffset) = isOrigin ? (region.top, region.left) : (0, 0)
        let top = parser.sequence.counter(first) - 1 + rowOffset
        let left = parser.sequence.counter(first + 1) - 1 + columnOffset
        let bottom = min(end(first + 2, height - rowOffset) + rowOffset, height)
        let right = min(end(first + 3, width - columnOffset) + columnOffset, width)
        guard top < bottom, left < right else { return nil }
        return (top..<bottom, left..<right)
    }

    private func end(_ index: Int, _ otherwise: Int) -> Int {
        let value = parser.sequence.value(index) ?? 0
        return value == 0 ? otherwise : value
    }

    /// DECERA, DECSERA and DECFRA: erase or fill a rectangle.
    mutating func fillRectangle(_ first: Int, with scalar: UInt32?, selective: Bool = false) {
        guard let area = rectangle(first) else { return }
        let cell = scalar.map { Cell(glyph: $0, style: penNumber ?? lookUpPen()) } ?? blank
        for y in area.rows {
            // DECSERA erases even characters protected by SPA.
            if selective, protection == .selective {
                eraseUnprotected(y, area.columns)
            } else {
                grid.erase(y, area.columns, cell)
            }
        }
    }

    /// DECCRA; page numbers are ignored, because there is only one page.
    mutating func copyRectangle() {
        guard let area = rectangle(0) else { return }
        let isOrigin = modes[.origin]
        let top = parser.sequence.counter(5) - 1 + (isOrigin ? region.top : 0)
        let left = parser.sequence.counter(6) - 1 + (isOrigin ? region.left : 0)
        guard top < rows, left < columns else { return }
        let height = min(area.rows.count, rows - top)
        let width = min(area.columns.count, columns - left)
        let source = area.columns.lowerBound..<area.columns.lowerBound + width
        let order = top > area.rows.lowerBound ? (0..<height).reversed() : Array(0..<height)
        for offset in order { grid.copy(area.rows.lowerBound + offset, source, to: top + offset, left) }
    }

    // MARK: - Attributes

    /// DECCARA and DECRARA: set or reverse attributes in an area, including cells without characters.
    ///
    /// Unless DECSACE has selected a rectangle (2), the area is all text from the first to the last cell of the
    /// rectangle.
    mutating func changeAttributes(reversing: Bool) {
        // On a traced screen, styles are the origins of characters.
        guard !collected.isTraced, let area = rectangle(0) else { return }
        let changes = (4..<max(parser.sequence.count, 4)).compactMap { parser.sequence.value($0) }
        let sides = modes[.origin] ? region.columns : 0..<columns
        if tables.styles.count >= tables.limit { forgetUnused() }
        var changed: [UInt32: UInt32] = [:]
        for y in area.rows {
            let isFirst = hasRectangularExtent || y == area.rows.first
            let isLast = hasRectangularExtent || y == area.rows.last
            let start = isFirst ? area.columns.lowerBound : sides.lowerBound
            for x in start..<(isLast ? area.columns.upperBound : sides.upperBound) {
                var cell = grid.cell(y, x)
                let style = changed[cell.style] ?? changing(cell.style, changes, reversing: reversing)
                changed[cell.style] = style
                guard style != cell.style else { continue }
                cell.style = style
                grid.replace(cell, y, x)
            }
        }
    }

    /// Changes attributes of the style with this index, and returns the index of the resulting style.
    private mutating func changing(_ number: UInt32, _ changes: [Int], reversing: Bool) -> UInt32 {
        var style = tables.styles[number]
        for change in changes {
            if reversing { style.reverse(change) } else { style.change(change) }
        }
        return tables.styles.number(of: style)
    }
}

extension Style {
    /// The attributes of a VT420, except for underline, by the SGR number that sets them.
    private static let changeable: [Int: Attributes] = [1: .bold, 5: .blink, 7: .inverse]
    /// The attributes of a VT420, except for underline, by the SGR number that removes them.
    private static let removable: [Int: Attributes] = [
        0: [.bold, .blink, .inverse], 22: .bold, 25: .blink, 27: .inverse,
    ]

    /// Changes an attribute for DECCARA.
    fileprivate mutating func change(_ number: Int) {
        if let attribute = Self.changeable[number] { attributes.insert(attribute) }
        if let attributes = Self.removable[number] { self.attributes.subtract(attributes) }
        if number == 4 { underline = .single }
        if number == 0 || number == 24 { underline = .none }
    }

    /// Reverses an attribute for DECRARA.
    fileprivate mutating func reverse(_ number: Int) {
        if let attribute = Self.changeable[number] { attributes.formSymmetricDifference(attribute) }
        if number == 4 { underline = underline == .none ? .single : .none }
    }
}
