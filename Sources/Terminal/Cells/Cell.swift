/// One screen cell, in eight bytes; all zero if it is empty and in the plain style.
struct Cell: Equatable {
    /// A code point or cluster number in bits 0–23, and the kind of cell in the bits above.
    var glyph: UInt32
    /// The index of the style in the style table; 0 is the plain style.
    var style: UInt32

    static let blank = Cell(glyph: 0, style: 0)

    /// Set if bits 0–23 are a cluster number.
    static let clusterBit: UInt32 = 1 << 24
    /// The left half of a two-cell character.
    static let wideBit: UInt32 = 1 << 25
    /// The right half of a two-cell character; it has no glyph.
    static let tailBit: UInt32 = 1 << 26
    /// A cell left empty at the end of a line because a wide character did not fit.
    static let fillerBit: UInt32 = 1 << 27
    static let contentMask: UInt32 = clusterBit | 0xFF_FFFF

    @inline(__always) var isWide: Bool { glyph & Self.wideBit != 0 }
    @inline(__always) var isTail: Bool { glyph & Self.tailBit != 0 }
    @inline(__always) var isFiller: Bool { glyph & Self.fillerBit != 0 }
    /// The code point or cluster number, without the kind of cell.
    @inline(__always) var content: UInt32 { glyph & Self.contentMask }
    /// Whether nothing has been written to the cell since it was last erased.
    @inline(__always) var isEmpty: Bool { glyph & ~Self.fillerBit == 0 }
}
