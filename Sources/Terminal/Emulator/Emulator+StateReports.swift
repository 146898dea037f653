/// Reports of the screen's settings, state and contents (VT420 and VT510 manuals).
extension Emulator {
    mutating func deviceControl(_ text: [UInt8]) {
        join = .moved
        switch (parser.sequence.intermediates, parser.final) {
        case (0x24, UInt8(ascii: "q")): answerSetting(text)
        case (0x24, UInt8(ascii: "t")): restorePresentation(parser.sequence.value(0) ?? 0, text)
        case (0x2B, UInt8(ascii: "q")):
            // XTGETTCAP: no capability is reported; programs use the terminfo entry of `TERM`.
            answer("\u{1B}P0+r\u{1B}\\")
        default: break
        }
    }

    /// DECRQSS: reports the requested setting if it is known, but never echoes the text of the query.
    private mutating func answerSetting(_ text: [UInt8]) {
        let setting: String? =
            switch String(decoding: text, as: UTF8.self) {
            case "m": GraphicText.parameters(pen, withColons: true) + "m"
            case "r": "\(region.top + 1);\(region.bottom)r"
            case "s": "\(region.left + 1);\(region.right)s"
            case " q": "\(cursorShape == .standard ? 1 : cursorShape.rawValue) q"
            case "\"q": "\(pen.attributes.contains(.protected) ? 1 : 0)\"q"
            // The level reported by DA1, and the form of C1 controls.
            case "\"p": "62;\(sendsC1 ? 0 : 1)\"p"
            case "*x": "\(hasRectangularExtent ? 2 : 0)*x"
            // There is no status line to show or write to.
            case "$}": "0$}"
            case "$~": "0$~"
            case "t": "\(rows)t"
            case "$|": "\(columns)$|"
            case "*|": "\(rows)*|"
            default: nil
            }
        answer(setting.map { "\u{1B}P1$r\($0)\u{1B}\\" } ?? "\u{1B}P0$r\u{1B}\\")
    }

    /// DECRQPSR: reports the cursor (DECCIR) or the tab stops (DECTABSR).
    mutating func answerPresentation(_ request: Int) {
        switch request {
        case 1:
            let flags = (modes[.origin] ? 1 : 0) | (sets.single == 2 ? 2 : 0) | (sets.single == 3 ? 4 : 0)
            let designations = (0..<4).map { sets.sets[$0].designator }
            let sizes = (0..<4).reduce(0) { $0 | (sets.sets[$1] == .latin1 ? 1 << $1 : 0) }
            let parts = [
                "\(cursor.y + 1)", "\(cursor.x + 1)", "1", Self.letter(rendition),
                Self.letter(pen.attributes.contains(.protected) ? 1 : 0),
                Self.letter(flags | (cursor.isWrapPending ? 8 : 0)), "\(sets.active)", "2", Self.letter(sizes),
                designations.joined(),
            ]
            answer("\u{1B}P1$u\(parts.joined(separator: ";"))\u{1B}\\")
        case 2:
            answer("\u{1B}P2$u\(tabs.columns.map { String($0 + 1) }.joined(separator: "/"))\u{1B}\\")
        default: break
        }
    }

    /// The pen's attributes that a VT420 supports, one bit each.
    private var rendition: Int {
        let attributes = pen.attributes
        return (attributes.contains(.bold) ? 1 : 0) | (pen.underline != .none ? 2 : 0)
            | (attributes.contains(.blink) ? 4 : 0) | (attributes.contains(.inverse) ? 8 : 0)
    }

    private static func letter(_ bits: Int) -> String {
        String(UnicodeScalar(UInt8(0x40 | bits)))
    }

    /// DECRQDE: reports that the entire page is displayed.
    mutating func answerExtent() {
        answer("\u{1B}[\(rows);\(columns);1;1;1\"w")
    }

    /// DECRQUPSS: reports DEC Supplemental as the user-preferred supplemental set.
    mutating func answerPreferredSet() {
        answer("\u{1B}P0!u%5\u{1B}\\")
    }

    /// DECRQCRA: reports a checksum of the characters and attributes in a rectangle.
    ///
    /// The checksum is the negated sum of the code points and attributes, as in xterm. Empty cells without attributes
    /// are omitted, except for the first cell of the rectangle, which counts as a space.
    mutating func answerChecksum() {
        let id = parser.sequence.value(0) ?? 0
        var sum = 0
        if let area = rectangle(2) {
            reports.summedCells += area.rows.count * area.columns.count
            guard reports.summedCells <= Reports.summedCellLimit else { return }
            for y in area.rows {
                for x in area.columns {
                    let cell = grid.cell(y, x)
                    let isFirst = y == area.rows.lowerBound && x == area.columns.lowerBound
                    if isFirst || !cell.isEmpty || cell.style != 0 { sum += checksum(of: cell) }
                }
            }
        }
        let digits = String((0x10000 - sum & 0xFFFF) & 0xFFFF, radix: 16, uppercase: true)
        answer("\u{1B}P\(id)!~\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)\u{1B}\\")
    }

    private func checksum(of cell: Cell) -> Int {
        var sum = cell.isTail ? 0xFF : 0x20
        if !cell.isEmpty, !cell.isTail {
            let isCluster = cell.content & Cell.clusterBit != 0
            sum = Int((isCluster ? tables.clusters.base(of: cell.content) : cell.content) & 0xFF)
        }
        guard cell.style != 0 else { return sum }
        let style = tables.style(cell.style)
        // A concealed character counts as a space, so that it is not revealed.
        if style.attributes.contains(.concealed) { sum = 0x20 }
        let bits: [(Style.Attributes, Int)] = [(.inverse, 0x20), (.blink, 0x40), (.bold, 0x80)]
        for (attribute, bit) in bits where style.attributes.contains(attribute) { sum += bit }
        return sum + (style.underline == .single ? 0x10 : 0)
    }
}
