import Terminal

/// Classifies each byte of terminal output.
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

    private var machine = EscapeMachine()

    /// Whether the next byte is outside any sequence.
    var isBetweenSequences: Bool { machine.state == .ground }

    /// Returns the end of the run at `start` whose characters are all printed, or are all in the text of a sequence.
    func endOfText(_ bytes: ArraySlice<UInt8>, _ start: Int) -> Int {
        guard machine.state == .ground || machine.state == .string else { return start }
        var index = start
        while index < bytes.endIndex, bytes[index] >= 0x20, bytes[index] != 0x7F { index += 1 }
        return index
    }

    mutating func classify(_ byte: UInt8) -> Part {
        let state = machine.state
        let isInString = state == .string || state == .deviceParameters || state == .deviceIntermediate
        if byte >= 0x80, state != .stringEscape {
            if state != .string { machine.cancel() }
            return isInString ? .payload : .text
        }
        switch machine.consume(byte, isPassThrough: false) {
        case .none:
            if machine.state == .stringEscape { return .payloadEnd }
            return machine.state == .ground && byte != 0x7F ? .text : .control
        case .control where isInString, .begin where isInString: return .payloadEnd
        case .control: return Self.control(byte)
        case .begin, .beginControl, .beginDevice: return .control
        case .beginBefore: return classify(byte)
        case .marker, .digit, .separator, .intermediate, .invalid: return isInString ? .payload : .control
        case .endEscape: return state == .escapeIntermediate || Self.stays(escape: byte) ? .control : .end
        case .endControl, .endInvalid: return Self.stays(control: byte) ? .control : .end
        case .beginString: return beginString()
        case .text: return byte < 0x20 ? .control : .payload
        case .endString: return .payloadEnd
        }
    }

    private mutating func beginString() -> Part {
        switch machine.stringKind {
        case .command, .other: return .control
        // The final byte of a device control string may be the start of a word.
        case .deviceControl: return .payload
        // In input, `ESC k` is Alt+K, and what follows is typed text.
        case .title:
            machine.cancel()
            return .end
        }
    }

    private static func control(_ byte: UInt8) -> Part {
        switch byte {
        case 0x09: .blank
        case 0x08, 0x0A...0x0D: .end
        default: .control
        }
    }

    /// Whether an escape sequence leaves the cursor where it is, unlike IND, NEL, RI, DECRC and RIS.
    private static func stays(escape final: UInt8) -> Bool {
        [UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "7"), UInt8(ascii: "\\")].contains(final)
    }

    /// Whether a control sequence leaves the cursor where it is: SGR, modes, erasing, and reports.
    private static func stays(control final: UInt8) -> Bool {
        switch UnicodeScalar(final) {
        case "m", "h", "l", "J", "K", "n", "c", "t", "~": true
        default: false
        }
    }
}
