/// Feeds output through the decoder and the state machine for escape sequences.
///
/// 8-bit controls (C1) are not supported: in UTF-8, a lone byte 0x80–0x9F is ill-formed, and U+0080–U+009F, which pass
/// many filters as text, are dropped without effect, as are the bytes 0x80–0x9F in ISO 8859-1 (xterm's ctlseqs,
/// "Control Bytes, Characters, and Sequences").
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
            case .control, .parameters: index = parameters(bytes, index)
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
                parser.sequence.begin()
                guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "[") else {
                    parser.machine.consumeEscape()
                    return index + 1
                }
                parser.machine.consumeControlIntroducer()
                join = .moved
                index = parameters(bytes, index + 2)
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

    /// Decodes a byte of a non-ASCII character.
    @inline(__always)
    private mutating func step(_ byte: UInt8) -> UTF8Decoder.Step {
        encoding.isUTF8 ? parser.utf8.consume(byte) : .scalar(UInt32(byte))
    }

    /// Processes a byte of a non-ASCII character; returns false if the byte must be processed again.
    @inline(__always)
    private mutating func decode(_ byte: UInt8) -> Bool {
        switch step(byte) {
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

    /// Reads the parameters of a control sequence, and its final byte if it has no intermediate bytes; returns the
    /// index where it stopped.
    private mutating func parameters(_ bytes: Span<UInt8>, _ start: Int) -> Int {
        guard parser.utf8.missing == 0 else { return sequenceByte(bytes[start]) ? start + 1 : start }
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            guard 0x20...0x7E ~= byte else { return sequenceByte(byte) ? index + 1 : index }
            switch parser.machine.consumeParameter(byte) {
            case .digit:
                index = parser.sequence.digits(bytes, index)
                continue
            case .separator: parser.sequence.separator(byte)
            case .endControl:
                controlSequence(byte)
                return index + 1
            case let action:
                _ = perform(action, byte)
                return index + 1
            }
            index += 1
        }
        return index
    }

    /// Processes a byte of a sequence; returns false if it must be processed again.
    private mutating func sequenceByte(_ byte: UInt8) -> Bool {
        if byte >= 0x80 || parser.utf8.missing > 0, parser.state != .stringEscape { return foreignByte(byte) }
        let isPassThrough = parser.state == .stringEscape && parser.isPassThrough
        return perform(parser.machine.consume(byte, isPassThrough: isPassThrough), byte)
    }

    /// Performs the action of a byte; returns false if the byte must be processed again.
    @inline(__always)
    private mutating func perform(_ action: EscapeMachine.Action, _ byte: UInt8) -> Bool {
        switch action {
        case .none, .invalid, .endInvalid: break
        case .control: control(byte)
        case .begin: parser.sequence.begin()
        case .beginBefore:
            parser.sequence.begin()
            return false
        case .beginControl: join = .moved
        case .beginDevice:
            join = .moved
            lastScalar = nil
        case .beginString:
            join = .moved
            lastScalar = nil
            parser.beginText(byte)
        case .marker: parser.sequence.mark(byte)
        case .digit: parser.sequence.digit(byte)
        case .separator: parser.sequence.separator(byte)
        case .intermediate: parser.sequence.intermediate(byte)
        case .endEscape:
            let intermediates = parser.sequence.intermediates
            if intermediates == 0, 0x40...0x5F ~= byte {
                control(c1: byte + 0x40)
            } else {
                escape(byte, intermediates)
            }
        case .endControl: controlSequence(byte)
        case .text:
            // xterm ignores control characters in the text of an OSC sequence.
            if byte >= 0x20 || parser.machine.stringKind != .command { parser.append(byte) }
        case .endString: endString(withBell: byte == 0x07)
        }
        return true
    }

    /// Processes a byte of a non-ASCII character within a sequence; drops the character and the sequence, as in xterm.
    ///
    /// U+0080–U+009F do not affect the sequence. Returns false if the byte must be processed again.
    private mutating func foreignByte(_ byte: UInt8) -> Bool {
        switch step(byte) {
        case .more: return true
        case .scalar(let scalar) where scalar < 0xA0: return true
        case .scalar, .broken:
            parser.machine.cancel()
            return true
        case .brokenBefore:
            parser.machine.cancel()
            return false
        }
    }

    // MARK: - Strings

    /// Reads the text of a string up to its end; returns the index where it stopped.
    private mutating func string(_ bytes: Span<UInt8>, _ start: Int) -> Int {
        var index = start
        while index < bytes.count, parser.state == .string {
            let byte = bytes[index]
            if byte >= 0x20 { parser.append(byte) } else { _ = sequenceByte(byte) }
            index += 1
        }
        return index
    }

    private mutating func endString(withBell: Bool) {
        parser.endsWithBell = withBell
        let isTooLong = parser.isTooLong
        let text = parser.takeText()
        guard !isTooLong else { return }
        switch parser.machine.stringKind {
        case .command: command(text)
        case .deviceControl: deviceControl(text)
        case .title: setTitle(text)
        case .other: break
        }
    }
}

extension Emulator {
    /// Whether the output so far ends outside any sequence, so the next printable character would be shown.
    package var isBetweenSequences: Bool { parser.state == .ground }
}
