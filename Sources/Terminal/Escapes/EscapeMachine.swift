/// The state machine that splits terminal output into text and sequences.
///
/// It follows Paul Williams' parser for DEC terminals (vt100.net/emu/dec_ansi_parser), except that strings end as in
/// xterm. Bytes from 0x80 up depend on the character encoding; the caller handles them, except after `ESC` in a string.
package struct EscapeMachine: Sendable {
    package enum State: UInt8, Sendable {
        case ground
        case escape
        /// `ESC` and intermediate bytes.
        case escapeIntermediate
        /// `CSI` and nothing else.
        case control
        /// `CSI` and the following bytes up to the first intermediate byte.
        case parameters
        case controlIntermediate
        /// An invalid control sequence, up to its final byte.
        case controlInvalid
        /// `DCS` and the following bytes up to the first intermediate byte.
        case deviceParameters
        case deviceIntermediate
        /// The text of OSC, DCS, APC, PM or SOS.
        case string
        /// After `ESC` in such a string.
        case stringEscape
    }

    package enum StringKind: UInt8, Sendable {
        case command, deviceControl
        /// APC, PM or SOS.
        case other
        /// `ESC k`: a title command of screen and tmux.
        case title
    }

    /// The effect of a byte.
    package enum Action: Sendable {
        /// The byte has no effect, or is text outside sequences.
        case none
        /// The byte is a control character.
        ///
        /// Inside a sequence, it acts as if it preceded the sequence; CAN and SUB also cancel the sequence.
        case control
        /// The byte is an `ESC` that starts a sequence and cancels an incomplete one.
        case begin
        /// The preceding `ESC` canceled a string and started a sequence; pass the byte again.
        case beginBefore
        /// The byte completes `CSI`, or the introducer of a device control string.
        case beginControl, beginDevice
        /// The byte belongs to a control sequence or to the start of a device control string.
        case marker, digit, separator, intermediate
        /// The final byte of an escape sequence or of a control sequence.
        case endEscape, endControl
        /// The byte belongs to an invalid control sequence, or is its final byte.
        case invalid, endInvalid
        /// The byte starts the text of a string; for a device control string, it is the final byte.
        case beginString
        /// The byte belongs to the text of a string.
        case text
        /// The byte completes the terminator of a string, BEL or ST.
        case endString
    }

    package private(set) var state = State.ground
    /// The kind of the string; valid in the states `string` and `stringEscape`.
    package private(set) var stringKind = StringKind.other

    /// Starts outside any sequence.
    package init() {}

    /// Processes a byte.
    ///
    /// `isPassThrough` means that the current string is a tmux(1) passthrough string, in which each `ESC` of the text
    /// is doubled; it matters only in the state `stringEscape`.
    @inline(__always)
    package mutating func consume(_ byte: UInt8, isPassThrough: Bool) -> Action {
        switch state {
        case .string: return consumeInString(byte)
        case .stringEscape:
            if byte == UInt8(ascii: "\\") {
                state = .ground
                return .endString
            }
            if byte == 0x1B, stringKind == .deviceControl, isPassThrough {
                state = .string
                return .text
            }
            state = .escape
            return .beginBefore
        default: return consumeOutsideString(byte)
        }
    }

    /// Processes an `ESC` outside strings.
    @inline(__always)
    mutating func consumeEscape() {
        state = .escape
    }

    /// Processes `ESC [` outside strings.
    @inline(__always)
    mutating func consumeControlIntroducer() {
        state = .control
    }

    /// Processes a byte from 0x20 to 0x7E in the state `control` or `parameters`.
    @inline(__always)
    mutating func consumeParameter(_ byte: UInt8) -> Action {
        switch byte {
        case 0x20..<0x30:
            state = .controlIntermediate
            return .intermediate
        case 0x30..<0x3A:
            state = .parameters
            return .digit
        case 0x3A, 0x3B:
            state = .parameters
            return .separator
        case 0x3C..<0x40:
            // A marker is valid only at the start.
            defer { state = state == .control ? .parameters : .controlInvalid }
            return state == .control ? .marker : .invalid
        default:
            state = .ground
            return .endControl
        }
    }

    /// Drops an invalid sequence, but still skips the text of a device control string.
    package mutating func cancel() {
        switch state {
        case .deviceParameters, .deviceIntermediate: begin(.other)
        default: state = .ground
        }
    }

    private mutating func consumeInString(_ byte: UInt8) -> Action {
        switch byte {
        case 0x18, 0x1A:
            state = .ground
            return .control
        case 0x1B:
            state = .stringEscape
            return .none
        case 0x07 where stringKind == .command:
            state = .ground
            return .endString
        default: return .text
        }
    }

    @inline(__always)
    private mutating func consumeOutsideString(_ byte: UInt8) -> Action {
        switch byte {
        case 0x1B:
            consumeEscape()
            return .begin
        case 0x18, 0x1A:
            state = .ground
            return .control
        case 0..<0x20: return state == .deviceParameters || state == .deviceIntermediate ? .none : .control
        case 0x7F: return .none
        default: break
        }
        switch state {
        case .escape: return consumeAfterEscape(byte)
        case .escapeIntermediate: return byte < 0x30 ? .intermediate : end(.endEscape)
        case .control, .parameters: return consumeParameter(byte)
        case .controlIntermediate:
            if byte < 0x30 { return .intermediate }
            if byte >= 0x40 { return end(.endControl) }
            state = .controlInvalid
            return .invalid
        case .controlInvalid: return byte < 0x40 ? .invalid : end(.endInvalid)
        case .deviceParameters, .deviceIntermediate: return consumeInDevice(byte)
        case .ground, .string, .stringEscape: return .none
        }
    }

    @inline(__always)
    private mutating func consumeAfterEscape(_ byte: UInt8) -> Action {
        switch byte {
        case 0x20..<0x30:
            state = .escapeIntermediate
            return .intermediate
        case UInt8(ascii: "["):
            state = .control
            return .beginControl
        case UInt8(ascii: "P"):
            state = .deviceParameters
            return .beginDevice
        case UInt8(ascii: "]"): begin(.command)
        case UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"): begin(.other)
        case UInt8(ascii: "k"): begin(.title)
        default: return end(.endEscape)
        }
        return .beginString
    }

    private mutating func consumeInDevice(_ byte: UInt8) -> Action {
        switch byte {
        case 0x20..<0x30:
            state = .deviceIntermediate
            return .intermediate
        case 0x30..<0x3A: return .digit
        case 0x3A, 0x3B: return .separator
        case 0x3C..<0x40: return .marker
        default:
            begin(.deviceControl)
            return .beginString
        }
    }

    private mutating func begin(_ kind: StringKind) {
        stringKind = kind
        state = .string
    }

    private mutating func end(_ action: Action) -> Action {
        state = .ground
        return action
    }
}
