/// Where the reader of a terminal's input is, after Paul Williams' parser for DEC's terminals (vt100.net/emu/dec_ansi_parser).
struct Parser: Sendable {
    enum State: UInt8 {
        case ground
        case escape
        /// `ESC` and intermediate bytes.
        case escapeIntermediate
        /// `CSI` and what follows up to the first intermediate byte.
        case parameters
        case controlIntermediate
        case controlIgnored
        case deviceParameters
        case deviceIntermediate
        /// The text of OSC, DCS, APC, PM or SOS.
        case string
        /// After `ESC` in such a text.
        case stringEscape
    }

    enum StringKind: UInt8 {
        case command, deviceControl, other
        /// `ESC k`: a title, as programs set it for screen and tmux.
        case title
    }

    var state = State.ground
    var utf8 = UTF8Decoder()
    var sequence = ControlSequence()
    var stringKind = StringKind.other
    /// The final byte of a device control string.
    var final: UInt8 = 0
    private(set) var text: [UInt8] = []
    private(set) var isTooLong = false
    /// Whether the last string ended with BEL rather than ST.
    var endsWithBell = false

    /// The longest text that is kept; of one that is longer nothing is done.
    static let textLimit = 256 << 10
    /// Memory for texts up to this size is kept for the next.
    private static let smallText = 4 << 10

    mutating func begin(_ kind: StringKind) {
        stringKind = kind
        text.removeAll(keepingCapacity: text.capacity <= Self.smallText)
        isTooLong = false
        state = .string
    }

    mutating func append(_ byte: UInt8) {
        guard stringKind != .other else { return }
        if text.count < Self.textLimit { text.append(byte) } else { isTooLong = true }
    }

    /// Returns the text, and forgets it.
    mutating func takeText() -> [UInt8] {
        let taken = text
        text = text.capacity <= Self.smallText ? text : []
        text.removeAll(keepingCapacity: true)
        return taken
    }
}
