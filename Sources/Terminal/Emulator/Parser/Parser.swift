/// The parser state of the emulator: the position in a sequence or character, and the parts read so far.
struct Parser: Sendable {
    var machine = EscapeMachine()
    var utf8 = UTF8Decoder()
    var sequence = ControlSequence()
    /// The final byte of a device control string.
    private(set) var final: UInt8 = 0
    private(set) var text: [UInt8] = []
    private(set) var isTooLong = false
    /// Whether the last string ended with BEL rather than ST.
    var endsWithBell = false

    /// The maximum length of a string; a longer string has no effect.
    static let textLimit = 256 << 10
    /// Buffers up to this size are reused for the next string.
    private static let smallText = 4 << 10

    var state: EscapeMachine.State { machine.state }

    /// Starts a string; `byte` is the final byte of a device control string, or the introducer of any other string.
    mutating func beginText(_ byte: UInt8) {
        final = byte
        text.removeAll(keepingCapacity: text.capacity <= Self.smallText)
        isTooLong = false
    }

    mutating func append(_ byte: UInt8) {
        guard machine.stringKind != .other else { return }
        if text.count < Self.textLimit { text.append(byte) } else { isTooLong = true }
    }

    /// Whether the string starts with `DCS tmux;`, in which `t` is the final byte.
    var isPassThrough: Bool { final == UInt8(ascii: "t") && text.starts(with: Self.passThrough) }

    private static let passThrough = Array("mux;".utf8)

    /// Returns the text and clears it.
    mutating func takeText() -> [UInt8] {
        let taken = text
        text = text.capacity <= Self.smallText ? text : []
        text.removeAll(keepingCapacity: true)
        return taken
    }
}
