/// The origin of a character on a traced screen: its offset in the output, stored in place of the index of the cell's
/// style.
///
/// A traced screen does not need styles, and moving, copying or erasing a cell affects style and origin alike. The low
/// 30 bits of the offset are kept.
struct CellOrigin: Sendable {
    /// Set in a style index that is an origin.
    static let bit: UInt32 = 1 << 30
    /// Set if the character is protected from selective erasing (DECSCA).
    static let protectedBit: UInt32 = 1 << 31
    static let mask: UInt32 = bit - 1

    private var offset: UInt32
    private var bits = CellOrigin.bit

    /// `isProtected` means that the terminal currently protects the characters it writes.
    init(_ offset: UInt64, isProtected: Bool) {
        self.offset = UInt32(truncatingIfNeeded: offset)
        if isProtected { bits |= Self.protectedBit }
    }

    /// The style index of a character at this distance after the origin.
    @inline(__always)
    func style(after distance: Int) -> UInt32 {
        bits | (offset &+ UInt32(truncatingIfNeeded: distance)) & Self.mask
    }

    mutating func advance(_ distance: Int) {
        offset &+= UInt32(truncatingIfNeeded: distance)
    }

    /// The style of a cell whose style index is an origin: plain, except for protection.
    static func style(_ number: UInt32) -> Style {
        var style = Style.plain
        if number & protectedBit != 0 { style.attributes.insert(.protected) }
        return style
    }

    /// The offset of a cell's character, given a later offset less than 2^30 bytes away; nil without an origin.
    static func offset(of style: UInt32, before end: UInt64) -> UInt64? {
        guard style & bit != 0 else { return nil }
        let distance = (UInt32(truncatingIfNeeded: end) &- style) & mask
        return end >= UInt64(distance) ? end - UInt64(distance) : nil
    }
}
