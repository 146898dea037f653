/// The input parser: Paul Williams' state machine, with UTF-8.
///
/// 8-bit controls (C1) are not supported: a lone byte 0x80–0x9F is ill-formed, and U+0080–U+009F, which pass many
/// filters as text, are dropped without effect (xterm's ctlseqs, "Control Bytes, Characters, and Sequences").
extension Emulator {
    /// Processes a program's output; sequences and characters may continue in the next call.
    package mutating func feed(_ bytes: [UInt8]) {
        feed(bytes.span)
    }

    package mutating func feed(_ bytes: Span<UInt8>) {
        var index = 0
        while index < bytes.count {
            switch parser.state {
            case .ground: index = ground(bytes, index)
            case .parameters: index = parameters(bytes, index)
            case .string: index = string(bytes, index)
            default:
                if !sequenceByte(bytes[index]) { continue }
                index += 1
            }
        }
    }

    // MARK: - Text

    /// Reads text and control characters up to the start of a sequence; returns the index where it stopped.
    private mutating func ground(_ bytes: Span<UInt8>, _ start: Int) -> Int {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte >= 0x80 || parser.utf8.missing > 0 {
                if decode(byte) { index += 1 }
            } else if byte == 0x1B {
                parser.state = .escape
                parser.sequence.begin()
                return index + 1
            } else if byte < 0x20 {
                control(byte)
                index += 1
            } else if byte == 0x7F {
                lastScalar = nil
                index += 1
            } else {
                index = printASCII(bytes, index)
            }
            if parser.state != .ground { return index }
        }
        return index
    }

    /// Processes a byte of a non-ASCII character; returns false if the byte must be processed again.
    @inline(__always)
    private mutating func decode(_ byte: UInt8) -> Bool {
        switch parser.utf8.take(byte) {
        case .more: return true
        case .scalar(let scalar) where scalar < 0xA0:
            // As after any control, nothing joins the previous character.
            join = .moved
            lastScalar = nil
            return true
        case .scalar(let scalar):
            print(scalar)
            return true
        case .broken:
            print(UTF8Decoder.replacement)
            return true
        case .brokenBefore:
            print(UTF8Decoder.replacement)
            return false
        }
    }

    // MARK: - Sequences

    /// Reads the parameters of a control sequence up to its end or an intermediate byte.
    private mutating func parameters(_ bytes: Span<UInt8>, _ start: Int) -> Int {
        if parser.utf8.missing > 0 { return sequenceByte(bytes[start]) ? start + 1 : start }
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case 0x30...0x39: parser.sequence.digit(byte)
            case 0x3A, 0x3B: parser.sequence.separator(byte)
            case 0x40...0x7E:
                parser.state = .ground
                controlSequence(byte)
                return index + 1
            default:
                if sequenceByte(byte) { index += 1 }
                return index
            }
            index += 1
        }
        return index
    }

    /// Processes a byte of a sequence; returns false if the sequence ended before it.
    private mutating func sequenceByte(_ byte: UInt8) -> Bool {
        if parser.state == .stringEscape { return stringEscape(byte) }
        if byte >= 0x80 || parser.utf8.missing > 0 { return foreignByte(byte) }
        switch byte {
        case 0x18, 0x1A:
            parser.state = .ground
            control(byte)
        case 0x1B:
            parser.state = .escape
            parser.sequence.begin()
        case 0..<0x20:
            if parser.state != .deviceParameters, parser.state != .deviceIntermediate { control(byte) }
        case 0x7F: break
        default:
            switch parser.state {
            case .escape, .escapeIntermediate: escapeByte(byte)
            case .deviceParameters, .deviceIntermediate: deviceByte(byte)
            default: controlByte(byte)
            }
        }
        return true
    }

    /// Processes a byte that cannot occur in a sequence: the character and the sequence are dropped, as in xterm.
    ///
    /// U+0080–U+009F do not affect the sequence. Returns false if the byte must be processed again.
    private mutating func foreignByte(_ byte: UInt8) -> Bool {
        switch parser.utf8.take(byte) {
        case .more: return true
        case .scalar(let scalar) where scalar < 0xA0: return true
        case .scalar, .broken:
            breakSequence()
            return true
        case .brokenBefore:
            breakSequence()
            return false
        }
    }

    /// Abandons a sequence; the text of a device control string is still skipped.
    private mutating func breakSequence() {
        switch parser.state {
        case .deviceParameters, .deviceIntermediate: parser.begin(.other)
        default: parser.state = .ground
        }
    }

    private mutating func escapeByte(_ byte: UInt8) {
        if byte < 0x30 {
            parser.sequence.intermediate(byte)
            parser.state = .escapeIntermediate
        } else if parser.state == .escapeIntermediate {
            parser.state = .ground
            escape(byte, parser.sequence.intermediates)
        } else {
            parser.state = .ground
            if 0x40...0x5F ~= byte { control(c1: byte + 0x40) } else { escape(byte, 0) }
        }
    }

    private mutating func controlByte(_ byte: UInt8) {
        switch byte {
        case 0x20...0x2F where parser.state != .controlIgnored:
            parser.sequence.intermediate(byte)
            parser.state = .controlIntermediate
        case 0x3C...0x3F where parser.state == .parameters && parser.sequence.isUntouched:
            parser.sequence.mark(byte)
        case 0x40...0x7E:
            let isIgnored = parser.state == .controlIgnored
            parser.state = .ground
            if !isIgnored { controlSequence(byte) }
        default:
            parser.state = .controlIgnored
        }
    }

    private mutating func deviceByte(_ byte: UInt8) {
        switch byte {
        case 0x30...0x39: parser.sequence.digit(byte)
        case 0x3A, 0x3B: parser.sequence.separator(byte)
        case 0x3C...0x3F: parser.sequence.mark(byte)
        case 0x20...0x2F:
            parser.sequence.intermediate(byte)
            parser.state = .deviceIntermediate
        default:
            parser.final = byte
            parser.begin(.deviceControl)
        }
    }

    // MARK: - Strings

    /// Reads the text of a string up to its end; returns the index where it stopped.
    private mutating func string(_ bytes: Span<UInt8>, _ start: Int) -> Int {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case 0x18, 0x1A:
                parser.state = .ground
                control(byte)
                return index
            case 0x1B:
                parser.state = .stringEscape
                return index
            case 0x07 where parser.stringKind == .command:
                endString(withBell: true)
                return index
            default:
                if byte >= 0x20 || parser.stringKind != .command { parser.append(byte) }
            }
        }
        return index
    }

    /// Processes the byte after `ESC` in a string: `\` ends the string, any other byte cancels it, as in xterm.
    ///
    /// In tmux(1) passthrough strings, each `ESC` is doubled.
    private mutating func stringEscape(_ byte: UInt8) -> Bool {
        if byte == UInt8(ascii: "\\") {
            endString()
            return true
        }
        if byte == 0x1B, parser.stringKind == .deviceControl, parser.text.starts(with: Self.passThrough) {
            parser.append(byte)
            parser.state = .string
            return true
        }
        parser.state = .escape
        parser.sequence.begin()
        return false
    }

    /// The start of a tmux(1) passthrough string, `DCS tmux;`, after its final byte `t`.
    private static let passThrough = Array("mux;".utf8)

    private mutating func endString(withBell: Bool = false) {
        parser.state = .ground
        parser.endsWithBell = withBell
        let isTooLong = parser.isTooLong
        let text = parser.takeText()
        guard !isTooLong else { return }
        switch parser.stringKind {
        case .command: command(text)
        case .deviceControl: deviceControl(text)
        case .title: setTitle(text)
        case .other: break
        }
    }
}
