/// Finds control characters and escape sequences in terminal output, however it is split into chunks.
///
/// CAN and SUB cancel a sequence, ESC starts a new one, and control characters inside a sequence act as if they
/// preceded it (`EscapeMachine`). C1 controls are not recognized in their 8-bit form, because UTF-8 uses these bytes
/// for other purposes, and U+0080–U+009F are treated as text (see `C1Filter`). Bytes of 0x80 and higher do not end a
/// sequence, and invalid control sequences are reported too, because terminals differ in what they skip.
package struct EscapeScanner: Sendable {
    /// The offset after the bytes scanned so far.
    package private(set) var position: UInt64
    private var machine = EscapeMachine()
    private var pending = EscapeSequence(kind: .escape, final: 0, body: [], isCut: false, start: 0, end: 0)

    /// The maximum number of body bytes kept; enough to distinguish all sequences that terminals support.
    package static let bodyLimitBytes = 1024

    /// Starts outside any sequence; `position` is the offset of the first byte.
    package init(position: UInt64 = 0) {
        self.position = position
    }

    /// Whether the scanned bytes end outside any sequence.
    package var isBetweenSequences: Bool { machine.state == .ground }

    /// The start of the incomplete sequence; nil between sequences.
    package var openStart: UInt64? {
        isBetweenSequences ? nil : pending.start
    }

    /// The open string, as far as it has been scanned; nil outside strings.
    package var openSequence: EscapeSequence? {
        switch machine.state {
        case .deviceParameters, .deviceIntermediate, .string, .stringEscape: pending
        default: nil
        }
    }

    /// Scans the next bytes; `found` is called for each sequence that ends in them, in order.
    package mutating func scan(_ bytes: some RandomAccessCollection<UInt8>, found: (EscapeSequence) -> Void) {
        let isContiguous: Void? = bytes.withContiguousStorageIfAvailable { buffer in
            scan(contiguous: unsafe buffer.span, found: found)
        }
        if isContiguous == nil { scan(contiguous: Array(bytes).span, found: found) }
    }

    private mutating func scan(contiguous bytes: Span<UInt8>, found: (EscapeSequence) -> Void) {
        let first = position
        var index = 0
        while index < bytes.count {
            if machine.state == .ground {
                while index < bytes.count, bytes[index] >= 0x20 { index += 1 }
                guard index < bytes.count else { break }
            } else if machine.state == .string {
                index = skipString(bytes, from: index)
                guard index < bytes.count else { break }
            }
            position = first + UInt64(index)
            consume(bytes[index], found)
            index += 1
        }
        position = first + UInt64(bytes.count)
    }

    /// Keeps the bytes of a string up to the limit; returns the index of the first byte that may end it.
    private mutating func skipString(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] >= 0x20 {
            keep(bytes[index])
            index += 1
        }
        return index
    }

    private mutating func consume(_ byte: UInt8, _ found: (EscapeSequence) -> Void) {
        if byte >= 0x80, machine.state != .stringEscape {
            if machine.state != .escape, machine.state != .escapeIntermediate { keep(byte) }
            return
        }
        let isPassThrough = machine.state == .stringEscape && pending.isPassThrough
        switch machine.consume(byte, isPassThrough: isPassThrough) {
        case .none: break
        case .control: reportControl(byte, found)
        case .begin: begin(at: position)
        case .beginBefore:
            begin(at: position - 1)
            consume(byte, found)
        case .beginControl: pending.kind = .controlSequence
        case .beginDevice: beginString(.deviceControl, byte)
        case .beginString: beginString(byte)
        case .marker, .digit, .separator, .intermediate, .invalid, .text: keep(byte)
        case .endEscape, .endControl, .endInvalid: end(byte, found)
        case .endString: end(pending.final, found)
        }
    }

    /// Reports a control character if it is ENQ, BEL, SO or SI; all others do no more than move the cursor or scroll.
    private func reportControl(_ byte: UInt8, _ found: (EscapeSequence) -> Void) {
        guard [0x05, 0x07, 0x0E, 0x0F].contains(byte) else { return }
        found(
            EscapeSequence(
                kind: .control,
                final: byte,
                body: [],
                isCut: false,
                start: position,
                end: position + 1
            )
        )
    }

    private mutating func begin(at start: UInt64) {
        pending.kind = .escape
        pending.body.removeAll(keepingCapacity: true)
        pending.isCut = false
        pending.start = start
    }

    private mutating func beginString(_ byte: UInt8) {
        switch machine.stringKind {
        case .command: beginString(.command, byte)
        case .deviceControl: keep(byte)
        case .other, .title: beginString(.otherString, byte)
        }
    }

    private mutating func beginString(_ kind: EscapeSequence.Kind, _ introducer: UInt8) {
        pending.kind = kind
        pending.final = introducer
    }

    private mutating func keep(_ byte: UInt8) {
        if pending.body.count < Self.bodyLimitBytes { pending.body.append(byte) } else { pending.isCut = true }
    }

    private mutating func end(_ final: UInt8, _ found: (EscapeSequence) -> Void) {
        pending.final = final
        pending.end = position + 1
        found(pending)
    }
}
