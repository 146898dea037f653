/// One cell of a screen, in eight bytes; all zero where nothing was written.
struct Cell: Equatable {
    /// A code point or the number of a cluster in bits 0–23, what kind of cell it is above.
    var glyph: UInt32
    /// The number of the style in the table; 0 is the plain one.
    var style: UInt32

    static let blank = Cell(glyph: 0, style: 0)

    /// Set where bits 0–23 are the number of a cluster.
    static let clusterBit: UInt32 = 1 << 24
    /// The left half of a character of two cells.
    static let wideBit: UInt32 = 1 << 25
    /// The right half; it has no glyph.
    static let tailBit: UInt32 = 1 << 26
    /// A cell at the end of a line that was left empty as a wide character did not fit.
    static let fillerBit: UInt32 = 1 << 27
    static let contentMask: UInt32 = clusterBit | 0xFF_FFFF

    @inline(__always)
    init(glyph: UInt32, style: UInt32) {
        self.glyph = glyph
        self.style = style
    }

    @inline(__always) var isWide: Bool { glyph & Self.wideBit != 0 }
    @inline(__always) var isTail: Bool { glyph & Self.tailBit != 0 }
    @inline(__always) var isFiller: Bool { glyph & Self.fillerBit != 0 }
    /// The code point or the cluster, without what kind of cell it is.
    @inline(__always) var content: UInt32 { glyph & Self.contentMask }
    /// Whether nothing was written here since it was erased.
    @inline(__always) var isEmpty: Bool { glyph & ~Self.fillerBit == 0 }
}
