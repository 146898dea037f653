/// The parser state of a terminal, based on Paul Williams' parser for DEC terminals (vt100.net/emu/dec_ansi_parser).
struct Parser: Sendable {
    enum State: UInt8 {
        case ground
        case escape
        /// `ESC` and intermediate bytes.
        case escapeIntermediate
        /// `CSI` and the following bytes up to the first intermediate byte.
        case parameters
        case controlIntermediate
        case controlIgnored
        case deviceParameters
        case deviceIntermediate
        /// The text of OSC, DCS, APC, PM or SOS.
        case string
        /// After `ESC` in the text of a string.
        case stringEscape
    }

    enum StringKind: UInt8 {
        case command, deviceControl, other
        /// `ESC k`: a title command of screen and tmux.
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

    /// The maximum length of a string; a longer one has no effect.
    static let textLimit = 256 << 10
    /// Buffers up to this size are reused for the next string.
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

    /// Returns the text and clears it.
    mutating func takeText() -> [UInt8] {
        let taken = text
        text = text.capacity <= Self.smallText ? text : []
        text.removeAll(keepingCapacity: true)
        return taken
    }
}
