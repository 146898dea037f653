/// Finds control characters and escape sequences in terminal output, however it is split into chunks.
///
/// The states are those of a DEC terminal: CAN and SUB cancel a sequence, ESC starts a new one, and control characters
/// inside a control sequence act as if they preceded it. C1 controls are not recognized in their 8-bit form, because
/// UTF-8 uses these bytes for other purposes, and U+0080–U+009F are treated as text (see `C1Filter`). Bytes of 0x80 and
/// higher do not end a sequence, because some terminals skip them.
package struct EscapeScanner: Sendable {
    private enum State: Sendable {
        case ground
        case escape
        case controlSequence
        /// Inside the body of a string.
        case string
        /// After an ESC in a string: `\` completes the ST that ends the string, any other byte cancels the string.
        case stringEscape
    }

    /// The offset after the bytes scanned so far.
    package private(set) var position: UInt64
    private var state = State.ground
    private var pending = EscapeSequence(kind: .escape, final: 0, body: [], isCut: false, start: 0, end: 0)

    /// The maximum number of body bytes kept; enough to distinguish all sequences that terminals support.
    package static let bodyLimitBytes = 1024

    /// Starts outside any sequence; `position` is the offset of the first byte.
    package init(position: UInt64 = 0) {
        self.position = position
    }

    /// Whether the scanned bytes end outside any sequence.
    package var isBetweenSequences: Bool {
        if case .ground = state { return true }
        return false
    }

    /// The start of the incomplete sequence; nil between sequences.
    package var openStart: UInt64? {
        isBetweenSequences ? nil : pending.start
    }

    /// The open string, as far as it has been scanned; nil outside strings.
    package var openSequence: EscapeSequence? {
        switch state {
        case .string, .stringEscape: pending
        case .ground, .escape, .controlSequence: nil
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
            if case .ground = state {
                while index < bytes.count, bytes[index] >= 0x20 { index += 1 }
                guard index < bytes.count else { break }
            } else if case .string = state {
                index = skipString(bytes, from: index)
                guard index < bytes.count else { break }
            }
            position = first + UInt64(index)
            take(bytes[index], found)
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

    private mutating func take(_ byte: UInt8, _ found: (EscapeSequence) -> Void) {
        switch state {
        case .ground: takeInGround(byte, found)
        case .escape: takeAfterEscape(byte, found)
        case .controlSequence:
            if takeControl(byte, found) { return }
            if (0x40..<0x80).contains(byte) { end(byte, found) } else { keep(byte) }
        case .string:
            switch byte {
            case 0x1B: state = .stringEscape
            case 0x18, 0x1A: state = .ground
            case 0x07 where pending.kind == .command: end(pending.final, found)
            default: keep(byte)
            }
        case .stringEscape:
            if byte == UInt8(ascii: "\\") { return end(pending.final, found) }
            // Another sequence cancels the string; its ESC has already been consumed.
            begin(at: position - 1)
            takeAfterEscape(byte, found)
        }
    }

    private mutating func takeInGround(_ byte: UInt8, _ found: (EscapeSequence) -> Void) {
        if byte == 0x1B { begin(at: position) } else { reportControl(byte, found) }
    }

    private mutating func takeAfterEscape(_ byte: UInt8, _ found: (EscapeSequence) -> Void) {
        if byte >= 0x80 || takeControl(byte, found) { return }
        guard byte >= 0x30, pending.body.isEmpty else {
            if byte >= 0x30 { end(byte, found) } else { keep(byte) }
            return
        }
        switch byte {
        case UInt8(ascii: "["):
            pending.kind = .controlSequence
            state = .controlSequence
        case UInt8(ascii: "]"): beginString(.command, byte)
        case UInt8(ascii: "P"): beginString(.deviceControl, byte)
        case UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "k"):
            beginString(.otherString, byte)
        default: end(byte, found)
        }
    }

    /// Handles a control character inside an escape or control sequence; returns false for all other bytes.
    private mutating func takeControl(_ byte: UInt8, _ found: (EscapeSequence) -> Void) -> Bool {
        switch byte {
        case 0x1B: begin(at: position)
        case 0x18, 0x1A: state = .ground
        case 0..<0x20: reportControl(byte, found)
        case 0x7F: break
        default: return false
        }
        return true
    }

    /// Reports a control character if it is ENQ, BEL, SO or SI; the others only move the cursor.
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
        state = .escape
        pending.kind = .escape
        pending.body.removeAll(keepingCapacity: true)
        pending.isCut = false
        pending.start = start
    }

    private mutating func beginString(_ kind: EscapeSequence.Kind, _ introducer: UInt8) {
        pending.kind = kind
        pending.final = introducer
        state = .string
    }

    private mutating func keep(_ byte: UInt8) {
        if pending.body.count < Self.bodyLimitBytes { pending.body.append(byte) } else { pending.isCut = true }
    }

    private mutating func end(_ final: UInt8, _ found: (EscapeSequence) -> Void) {
        state = .ground
        pending.final = final
        pending.end = position + 1
        found(pending)
    }
}
