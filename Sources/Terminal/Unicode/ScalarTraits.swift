/// The properties of a code point that matter to a terminal: its width, and how it joins its neighbors.
struct ScalarTraits {
    enum Kind: UInt8 {
        /// Starts a new character.
        case other
        /// Joins the previous character: a mark, variation selector, skin tone modifier, or Hangul final consonant.
        case extending
        /// U+200D, which joins two pictographs.
        case joiner
        /// Half of a flag.
        case regional
        case pictograph
        /// A consonant of an Indic script.
        case consonant
        /// Joins two consonants (UAX #29, GB9c).
        case linker
        /// Joins the previous character and occupies a cell after it (UAX #29, GB9a).
        case spacing
        /// Joins the next character (UAX #29, GB9b).
        case prepended
        /// Like `other`, but shown as a two-cell emoji if U+FE0F follows.
        case otherEmoji
        /// Like `pictograph`, but shown as a two-cell emoji if U+FE0F follows.
        case pictographEmoji
    }

    private let value: UInt8

    /// The variation selector that requests the emoji presentation of a character.
    static let emojiSelector: UInt32 = 0xFE0F

    @inline(__always)
    init(_ scalar: UInt32) {
        value = scalar < 0x20000 ? Self.tabled(scalar) : Self.beyondTables(scalar)
    }

    /// The width in cells of the code point alone: 0, 1 or 2.
    @inline(__always)
    var cells: Int { Int(value >> 4) }

    @inline(__always)
    var kind: Kind { Kind(rawValue: value & 15) ?? .other }

    /// Whether the code point is shown as a two-cell emoji if U+FE0F follows.
    var canBecomeEmoji: Bool { value & 15 >= Kind.otherEmoji.rawValue }

    /// Whether adding this code point makes a character that starts with `first` two cells wide.
    func widens(_ first: ScalarTraits) -> Bool {
        guard cells > 0 else { return false }
        return switch kind {
        case .consonant, .spacing, .linker: true
        case .other, .otherEmoji, .pictograph, .pictographEmoji, .regional, .prepended: first.kind == .prepended
        case .extending, .joiner: false
        }
    }

    /// How the next character may join this one.
    var joining: JoinState {
        switch kind {
        case .pictograph, .pictographEmoji: .pictograph
        case .regional: .regional
        case .consonant: .consonant
        case .prepended: .prepended
        case .other, .otherEmoji, .extending, .joiner, .linker, .spacing: .printed
        }
    }

    /// Looks up a scalar below U+20000.
    ///
    /// The unchecked reads are safe: the index covers all these scalars, and refers only to existing blocks.
    @inline(__always)
    private static func tabled(_ scalar: UInt32) -> UInt8 {
        let entry = Int(scalar >> 7) * 2
        let index = unsafe UnicodeTables.index.utf8Start
        let block = unsafe (Int(index[entry]) - 0x30) << 6 + (Int(index[entry + 1]) - 0x30)
        return unsafe UnicodeTables.blocks.utf8Start[block << 7 + Int(scalar & 127)] - 0x30
    }

    /// Beyond the tables are ideographs (planes 2 and 3), tags and variation selectors (14), and private use (15, 16).
    private static func beyondTables(_ scalar: UInt32) -> UInt8 {
        switch scalar {
        case 0x20000...0x2FFFD, 0x30000...0x3FFFD: 2 << 4
        case 0xE0000...0xE0FFF: Kind.extending.rawValue
        default: 1 << 4
        }
    }
}

/// How the next character may join the one printed last.
enum JoinState {
    /// The cursor has moved since that character was printed.
    case moved
    case printed
    case pictograph
    /// A pictograph and U+200D, which a second pictograph joins.
    case joiner
    /// Half of a flag.
    case regional
    /// An Indic consonant, which a linker joins.
    case consonant
    /// An Indic consonant and a linker, which a second consonant joins.
    case linked
    /// A prepended character, which the next character joins.
    case prepended
}
