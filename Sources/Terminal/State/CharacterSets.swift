/// The character sets in G0 to G3, and the active one (ISO 2022).
///
/// Only the left half matters: characters beyond ASCII are encoded in UTF-8 or ISO 8859-1.
struct CharacterSets: Hashable, Sendable {
    enum Set: Hashable, Sendable {
        case ascii, lineDrawing
        /// ISO Latin-1, designated as a 94-character set in place of the British one, or as a 96-character set; the
        /// British set while national sets are enabled (DECNRCM).
        case britishLatin1, latin1
        case national(NationalSet)

        /// Returns the set designated by `ESC (` and these bytes; nil if the designation is ignored, as in xterm.
        ///
        /// National sets can be designated only while they are enabled; they and the other known sets select ASCII
        /// otherwise.
        init?(designator: String, allowsNational: Bool) {
            switch designator {
            case "0": self = .lineDrawing
            case "A": self = .britishLatin1
            // ASCII, the alternate ROM, DEC Supplemental, DEC Technical, and DEC's Greek, Hebrew and Turkish sets.
            case "B", "1", "2", "<", "%5", ">", "%0", "\">", "\"?", "%=", "%2", "%3": self = .ascii
            default:
                guard let national = NationalSet(designator: designator) else { return nil }
                self = allowsNational ? .national(national) : .ascii
            }
        }

        /// The bytes that designate the set after `ESC (`.
        var designator: String {
            switch self {
            case .ascii: "B"
            case .lineDrawing: "0"
            case .britishLatin1, .latin1: "A"
            case .national(let set): set.designator
            }
        }
    }

    var sets = InlineSets() {
        didSet { updatePlain() }
    }
    /// The set that is active until the next shift: 0 to 3 for G0 to G3.
    var active = 0 {
        didSet { updatePlain() }
    }
    /// The set for the next character only, 0 to 3; nil if no single shift is pending.
    var single: Int? {
        didSet { updatePlain() }
    }
    /// Whether characters are shown unchanged.
    private(set) var isPlain = true

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

    private mutating func updatePlain() {
        isPlain = single == nil && sets[active] == .ascii
    }

    /// The character shown for an ASCII character; `isNational` means that national sets are enabled (DECNRCM).
    func shown(_ scalar: UInt32, isNational: Bool) -> UInt32 {
        switch sets[single ?? active] {
        case .ascii: scalar
        case .britishLatin1, .latin1: isNational ? (scalar == 0x23 ? 0xA3 : scalar) : scalar + 0x80
        case .national(let set): set.shown(scalar)
        case .lineDrawing: (0x5F...0x7E).contains(scalar) ? Self.lineDrawing[Int(scalar) - 0x5F] : scalar
        }
    }

    /// DEC Special Graphics, from `_` to `~` (VT100 User Guide, table 3-9).
    static let lineDrawing: [UInt32] = " ◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·".unicodeScalars.map(\.value)
}
