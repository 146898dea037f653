/// The character sets in G0 to G3, and the active one (ISO 2022; only the left half matters in UTF-8).
struct CharacterSets: Hashable, Sendable {
    enum Set: UInt8, Sendable {
        case ascii, lineDrawing
        /// ISO Latin-1, designated as a 94-character set in place of the British one, or as a 96-character set.
        case britishLatin1, latin1
    }

    var sets = InlineSets()
    /// The set that is active until the next shift: 0 to 3 for G0 to G3.
    var active = 0
    /// The set for the next character only, 0 to 3; nil if no single shift is pending.
    var single: Int?

    struct InlineSets: Hashable, Sendable {
        var g0 = Set.ascii
        var g1 = Set.ascii
        var g2 = Set.ascii
        var g3 = Set.ascii

        subscript(_ index: Int) -> Set {
            get { index == 0 ? g0 : index == 1 ? g1 : index == 2 ? g2 : g3 }
            set {
                switch index {
                case 0: g0 = newValue
                case 1: g1 = newValue
                case 2: g2 = newValue
                default: g3 = newValue
                }
            }
        }
    }

    /// Whether characters are shown unchanged.
    @inline(__always)
    var isPlain: Bool { single == nil && sets[active] == .ascii }

    /// The character shown for an ASCII character.
    func shown(_ scalar: UInt32) -> UInt32 {
        switch sets[single ?? active] {
        case .ascii: scalar
        case .britishLatin1, .latin1: scalar + 0x80
        case .lineDrawing: (0x5F...0x7E).contains(scalar) ? Self.lineDrawing[Int(scalar) - 0x5F] : scalar
        }
    }

    /// DEC Special Graphics, from `_` to `~` (VT100 User Guide, table 3-9).
    static let lineDrawing: [UInt32] = " ◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·".unicodeScalars.map(\.value)
}
