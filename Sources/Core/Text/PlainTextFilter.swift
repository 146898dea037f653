/// Reduces terminal output to plain text, in chunks of any size.
///
/// The input is parsed according to ECMA-48 §5 and §8.3: control sequences, escape sequences and control strings are
/// removed, and so are control characters other than tabs and newlines. CR LF becomes LF; a CR before other text,
/// which progress bars use to rewrite their line, also becomes LF. The screen is not emulated: text positioned with
/// cursor movements appears in the order it was written. C1 controls are recognized only in their 7-bit form:
/// U+0080–U+009F are removed, and single bytes 0x80–0x9f are parts of characters.
package struct PlainTextFilter: Sendable {
    private enum State: Sendable {
        case text
        /// After 0xc2, the first byte of U+0080–U+00BF in UTF-8.
        case latin
        case escape
        /// After ESC and 0xc2: U+0080–U+009F do not affect the escape sequence.
        case escapeLatin
        /// After an intermediate byte of an escape sequence.
        case escapeRest
        case controlSequence
        /// In a control string, which ends at ST; an OSC sequence also ends at BEL, as in xterm.
        case string(isCommand: Bool)
        case stringEscape
    }

    private var state = State.text
    private var hasReturned = false
    private var isLineEmpty = true

    private static let newLine = UInt8(ascii: "\n")
    private static let escape: UInt8 = 0x1b

    package init() {}

    /// Returns the text in these bytes; a sequence that is incomplete at their end continues in the next call.
    package mutating func filter(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        filter(bytes) { byte, _ in text.append(byte) }
        return text
    }

    /// Passes each byte of text to `emit`, with the index of the input byte it came from.
    package mutating func filter(_ bytes: [UInt8], emit: (UInt8, Int) -> Void) {
        for (index, byte) in bytes.enumerated() { take(byte, index, emit) }
    }

    private mutating func take(_ byte: UInt8, _ index: Int, _ emit: (UInt8, Int) -> Void) {
        switch (state, byte) {
        case (.string(let isCommand), _): state = Self.next(inString: byte, isCommand: isCommand)
        case (.stringEscape, UInt8(ascii: "\\")): state = .text
        case (.stringEscape, _): takeEscaped(byte, index, emit)
        case (_, Self.escape): state = .escape
        // CAN and SUB cancel a sequence (ECMA-48 §8.3.6, §8.3.148).
        case (_, 0x18), (_, 0x1a): state = .text
        // Other controls take effect within a sequence without ending it.
        case (.escape, 0..<0x20), (.escapeRest, 0..<0x20), (.controlSequence, 0..<0x20): control(byte, index, emit)
        case (.text, _): takeText(byte, index, emit)
        case (.latin, _): takeLatin(byte, index, emit)
        case (.escape, 0xc2): state = .escapeLatin
        case (.escapeLatin, 0x80..<0xa0): state = .escape
        case (.escapeLatin, _): takeLatin(byte, index, emit)
        case (.escape, _): takeEscaped(byte, index, emit)
        case (.escapeRest, 0x30...0x7e): state = .text
        case (.controlSequence, 0x40...0x7e): state = .text
        case (.escapeRest, _), (.controlSequence, _): break
        }
    }

    private mutating func takeText(_ byte: UInt8, _ index: Int, _ emit: (UInt8, Int) -> Void) {
        switch byte {
        case 0..<0x20: control(byte, index, emit)
        case 0x7f: break
        case 0xc2: state = .latin
        default: show(byte, index, emit)
        }
    }

    private mutating func takeLatin(_ byte: UInt8, _ index: Int, _ emit: (UInt8, Int) -> Void) {
        state = .text
        guard !(0x80..<0xa0).contains(byte) else { return }
        show(0xc2, index, emit)
        takeText(byte, index, emit)
    }

    /// Processes the byte after ESC.
    private mutating func takeEscaped(_ byte: UInt8, _ index: Int, _ emit: (UInt8, Int) -> Void) {
        switch byte {
        case UInt8(ascii: "["): state = .controlSequence
        case UInt8(ascii: "]"): state = .string(isCommand: true)
        case UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "k"):
            state = .string(isCommand: false)
        case 0x20...0x2f: state = .escapeRest
        case Self.escape: state = .escape
        case 0..<0x20:
            state = .escape
            control(byte, index, emit)
        default: state = .text
        }
    }

    private static func next(inString byte: UInt8, isCommand: Bool) -> State {
        switch byte {
        case 0x07: isCommand ? .text : .string(isCommand: false)
        case 0x18, 0x1a: .text
        case escape: .stringEscape
        default: .string(isCommand: isCommand)
        }
    }

    // MARK: - Lines

    private mutating func control(_ byte: UInt8, _ index: Int, _ emit: (UInt8, Int) -> Void) {
        switch byte {
        case UInt8(ascii: "\r"): hasReturned = true
        case Self.newLine:
            emit(byte, index)
            (hasReturned, isLineEmpty) = (false, true)
        case UInt8(ascii: "\t"): show(byte, index, emit)
        default: break
        }
    }

    private mutating func show(_ byte: UInt8, _ index: Int, _ emit: (UInt8, Int) -> Void) {
        if hasReturned, !isLineEmpty { emit(Self.newLine, index) }
        (hasReturned, isLineEmpty) = (false, false)
        emit(byte, index)
    }
}
