/// What a terminal has to know of a code point: how many cells it takes, and how it joins with its neighbours.
struct ScalarTraits {
    enum Kind: UInt8 {
        /// Begins a character of its own.
        case other
        /// Belongs to the character before: a mark, a variation selector, the skin of an emoji, a final of Hangul.
        case extending
        /// U+200D, which joins two pictographs.
        case joiner
        /// Half of a flag.
        case regional
        case pictograph
        /// Of an Indic script, which a linker joins with another one (UAX #29, GB9c).
        case consonant
        case linker
        /// Belongs to the character before, and takes a cell beside it (GB9a).
        case spacing
        /// The next character belongs to it (GB9b).
        case prepended
        /// `other` and `pictograph`, shown as an emoji of two cells when U+FE0F follows.
        case otherEmoji
        case pictographEmoji
    }

    private let value: UInt8

    /// U+FE0F asks for the emoji of a character.
    static let emojiSelector: UInt32 = 0xFE0F

    @inline(__always)
    init(_ scalar: UInt32) {
        value = scalar < 0x20000 ? Self.tabled(scalar) : Self.beyondTables(scalar)
    }

    /// How many cells it takes where it stands alone: 0, 1 or 2.
    @inline(__always)
    var cells: Int { Int(value >> 4) }

    @inline(__always)
    var kind: Kind { Kind(rawValue: value & 15) ?? .other }

    /// Whether it is shown as an emoji of two cells when U+FE0F follows.
    var canBecomeEmoji: Bool { value & 15 >= Kind.otherEmoji.rawValue }

    /// Whether a character that begins with another code point has two cells when it has this one too.
    func widens(_ first: ScalarTraits) -> Bool {
        guard cells > 0 else { return false }
        return switch kind {
        case .consonant, .spacing, .linker: true
        case .other, .otherEmoji, .pictograph, .pictographEmoji, .regional, .prepended: first.kind == .prepended
        case .extending, .joiner: false
        }
    }

    /// What the next character may do when this one was printed.
    var joining: JoinState {
        switch kind {
        case .pictograph, .pictographEmoji: .pictograph
        case .regional: .regional
        case .consonant: .consonant
        case .prepended: .prepended
        case .other, .otherEmoji, .extending, .joiner, .linker, .spacing: .printed
        }
    }

    /// The scalar is below U+20000, which the index covers; an index names only blocks that there are.
    @inline(__always)
    private static func tabled(_ scalar: UInt32) -> UInt8 {
        let entry = Int(scalar >> 7) * 2
        let index = unsafe UnicodeTables.index.utf8Start
        let block = unsafe (Int(index[entry]) - 0x30) << 6 + (Int(index[entry + 1]) - 0x30)
        return unsafe UnicodeTables.blocks.utf8Start[block << 7 + Int(scalar & 127)] - 0x30
    }

    /// Ideographs in planes 2 and 3, tags and variation selectors in plane 14, private use in the rest.
    private static func beyondTables(_ scalar: UInt32) -> UInt8 {
        switch scalar {
        case 0x20000...0x2FFFD, 0x30000...0x3FFFD: 2 << 4
        case 0xE0000...0xE0FFF: Kind.extending.rawValue
        default: 1 << 4
        }
    }
}
