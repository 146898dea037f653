/// Classifies each byte of terminal output; the states are those of Paul Williams' parser.
struct OutputClassifier {
    enum Part {
        /// Part of a printed character.
        case text
        /// A tab.
        case blank
        /// Ends a line of text: a line feed, or a cursor movement.
        case end
        /// Part of the text in a sequence.
        case payload
        /// Ends the text in a sequence.
        case payloadEnd
        /// Any other part of a sequence, or a control character that does not move the cursor.
        case control
    }

    private enum State {
        case ground, escape, intermediate, controlSequence, string, stringEscape
    }

    private var state = State.ground
    /// Whether the current string is an OSC, which BEL can also end.
    private var isCommand = false

    /// Whether the next byte is outside any sequence.
    var isBetweenSequences: Bool { state == .ground }

    /// Returns the end of the run at `start` whose characters are all printed, or are all in the text of a sequence.
    func endOfText(_ bytes: ArraySlice<UInt8>, _ start: Int) -> Int {
        guard state == .ground || state == .string else { return start }
        var index = start
        while index < bytes.endIndex, bytes[index] >= 0x20, bytes[index] != 0x7F { index += 1 }
        return index
    }

    mutating func take(_ byte: UInt8) -> Part {
        switch state {
        case .ground: return ground(byte)
        case .escape: return escape(byte)
        case .intermediate:
            if byte >= 0x30 { state = .ground }
            return byte == 0x1B ? restart() : .control
        case .controlSequence: return controlSequence(byte)
        case .string: return string(byte)
        case .stringEscape:
            if byte == UInt8(ascii: "\\") {
                state = .ground
                return .control
            }
            state = .escape
            return escape(byte)
        }
    }

    private mutating func ground(_ byte: UInt8) -> Part {
        switch byte {
        case 0x1B:
            state = .escape
            return .control
        case 0x09: return .blank
        case 0x08, 0x0A...0x0D: return .end
        case 0..<0x20, 0x7F: return .control
        default: return .text
        }
    }

    private mutating func restart() -> Part {
        state = .escape
        return .control
    }

    private mutating func escape(_ byte: UInt8) -> Part {
        switch byte {
        case 0x1B: return restart()
        case 0x18, 0x1A: state = .ground
        case 0..<0x20, 0x7F: return byte == 0x0A || byte == 0x0D ? .end : .control
        case 0x20...0x2F: state = .intermediate
        case UInt8(ascii: "["): state = .controlSequence
        case UInt8(ascii: "]"): (state, isCommand) = (.string, true)
        case UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            (state, isCommand) = (.string, false)
        case UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "7"), UInt8(ascii: "\\"): state = .ground
        default:
            // The cursor moves: IND, NEL, RI, DECRC and RIS.
            state = .ground
            return .end
        }
        return .control
    }

    private mutating func controlSequence(_ byte: UInt8) -> Part {
        switch byte {
        case 0x1B: return restart()
        case 0x18, 0x1A:
            state = .ground
            return .control
        case 0x0A, 0x0D: return .end
        case 0x40...0x7E:
            state = .ground
            // SGR, modes, erasing, and reports do not move the cursor.
            let stays: [UInt8] = Array("mhlJKnct~".utf8)
            return stays.contains(byte) ? .control : .end
        case 0x80...:
            state = .ground
            return .text
        default: return .control
        }
    }

    private mutating func string(_ byte: UInt8) -> Part {
        switch byte {
        case 0x1B:
            state = .stringEscape
            return .payloadEnd
        case 0x07 where isCommand, 0x18, 0x1A:
            state = .ground
            return .payloadEnd
        case 0..<0x20: return .control
        default: return .payload
        }
    }
}
