/// Where a character on a traced screen comes from: its place in the output, in the number of the cell's style.
///
/// A traced screen has no use for styles, and what moves, copies or erases a cell does the same with its origin. Of the
/// offset the low 30 bits are kept.
struct CellOrigin: Sendable {
    /// Set in the number of a style that is an origin.
    static let bit: UInt32 = 1 << 30
    /// Set where selective erasing leaves the character (DECSCA).
    static let protectedBit: UInt32 = 1 << 31
    static let mask: UInt32 = bit - 1

    private var offset: UInt32
    private var bits = CellOrigin.bit

    /// `isProtected` is what the pen of the terminal says.
    init(_ offset: UInt64, isProtected: Bool) {
        self.offset = UInt32(truncatingIfNeeded: offset)
        if isProtected { bits |= Self.protectedBit }
    }

    /// The number of the style of a character that stands so many bytes behind this origin.
    @inline(__always)
    func style(after distance: Int) -> UInt32 {
        bits | (offset &+ UInt32(truncatingIfNeeded: distance)) & Self.mask
    }

    mutating func advance(_ distance: Int) {
        offset &+= UInt32(truncatingIfNeeded: distance)
    }

    /// What a style number that is an origin says of the looks of a cell.
    static func style(_ number: UInt32) -> Style {
        var style = Style.plain
        if number & protectedBit != 0 { style.attributes.insert(.protected) }
        return style
    }

    /// The offset of a cell's character, given a later one that is less than 2^30 bytes away; nil for none.
    static func offset(of style: UInt32, before end: UInt64) -> UInt64? {
        guard style & bit != 0 else { return nil }
        let distance = (UInt32(truncatingIfNeeded: end) &- style) & mask
        return end >= UInt64(distance) ? end - UInt64(distance) : nil
    }
}
