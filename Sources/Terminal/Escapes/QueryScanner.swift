/// Finds the ends of sequences that `Emulator` may reply to, without slowing down the output.
///
/// It examines only as much of an escape sequence as is needed to rule out the common ones. It may report sequences
/// that are not queries, but never misses a query.
package struct QueryScanner: Sendable {
    private var machine = EscapeMachine()
    private var sequence = ControlSequence()
    /// The number of an OSC sequence, as far as it has been read.
    private var command = 0
    /// Whether all digits of `command` have been read.
    private var hasNumber = false
    /// Whether the open string is a query.
    private var isQuery = false

    /// Starts outside any sequence.
    package init() {}

    /// Scans the next bytes; returns the end of the last query that ends in them; nil if there is none.
    package mutating func scan(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let start = bytes.baseAddress else { return nil }
        var found: Int?
        var index = 0
        while index < bytes.count {
            if machine.state == .ground {
                guard let next = unsafe Self.skipCommon(start, index, bytes.count) else { break }
                index = next
            }
            if consume(unsafe bytes[index]) { found = index + 1 }
            index += 1
        }
        return found
    }

    /// Skips text and complete control sequences whose final byte never belongs to a query.
    ///
    /// Returns the start of the next escape sequence to examine; nil if there is none.
    private static func skipCommon(_ bytes: UnsafeRawPointer, _ start: Int, _ count: Int) -> Int? {
        var index = start
        while index < count {
            guard let escape = unsafe EscapeMachine.nextEscape(bytes, index, count) else { return nil }
            index = escape
            var end = index + 2
            guard end < count else { return index }
            let introducer = unsafe bytes.load(fromByteOffset: index + 1, as: UInt8.self)
            if introducer == UInt8(ascii: "]"), let next = unsafe skipCommand(bytes, end, count) {
                index = next
                continue
            }
            guard introducer == UInt8(ascii: "[") else { return index }
            let first = unsafe bytes.load(fromByteOffset: end, as: UInt8.self)
            // Skip parameter and intermediate bytes (0x20 to 0x3F), eight at a time.
            while end + 8 <= count {
                let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self))
                let others = (word & 0xE0E0_E0E0_E0E0_E0E0) ^ 0x2020_2020_2020_2020
                end += others == 0 ? 8 : others.trailingZeroBitCount / 8
                if others != 0 { break }
            }
            // If the bytes end before the final byte, the sequence is examined byte by byte.
            guard end < count else { return index }
            let final = unsafe bytes.load(fromByteOffset: end, as: UInt8.self)
            // After '?', more final bytes belong to queries; 'q' does only after '>'.
            let isCommon =
                switch first {
                case UInt8(ascii: "?"): final == UInt8(ascii: "l")
                case UInt8(ascii: ">"): isCommonFinal(final)
                default: isCommonFinal(final) || final == UInt8(ascii: "q")
                }
            guard isCommon else { return index }
            index = end + 1
        }
        return nil
    }

    /// Skips a complete OSC sequence whose text starts at `start` and that is not a query; nil if it may be one.
    private static func skipCommand(_ bytes: UnsafeRawPointer, _ start: Int, _ count: Int) -> Int? {
        for index in start..<count {
            switch unsafe bytes.load(fromByteOffset: index, as: UInt8.self) {
            case 0x07: return index + 1
            case 0..<0x20, UInt8(ascii: "?"): return nil
            default: continue
            }
        }
        return nil
    }

    private static func isCommonFinal(_ final: UInt8) -> Bool {
        final &- 0x40 < 0x3F && commonFinals &>> UInt64(final &- 0x40) & 1 != 0
    }

    /// The final bytes, one bit each from `@` up, that never end a query unless it starts with `CSI ?`:
    /// ``@A-MPXZ`abdefghlmrs``.
    private static var commonFinals: UInt64 { 0x000C_31F7_0501_3FFF }

    /// Processes a byte; returns whether a query ends with it.
    private mutating func consume(_ byte: UInt8) -> Bool {
        // Bytes after a non-ASCII character may continue the sequence or be text.
        if byte >= 0x80, machine.state != .stringEscape { return false }
        switch machine.consume(byte, isPassThrough: false) {
        case .none, .control, .beginControl, .beginDevice, .invalid: break
        case .begin: sequence.begin()
        case .beginBefore:
            sequence.begin()
            return consume(byte)
        case .marker: sequence.mark(byte)
        case .digit: sequence.digit(byte)
        case .separator: sequence.separator(byte)
        case .intermediate: sequence.intermediate(byte)
        case .endEscape: return byte == UInt8(ascii: "Z")
        case .endControl: return isQuery(final: byte)
        case .endInvalid: return true
        case .beginString:
            (command, hasNumber) = (0, false)
            // DECRQSS and XTGETTCAP.
            let isRequest = lastIntermediate == UInt8(ascii: "$") || lastIntermediate == UInt8(ascii: "+")
            isQuery = isRequest && machine.stringKind == .deviceControl && byte == UInt8(ascii: "q")
        case .text: if machine.stringKind == .command { readCommand(byte) }
        case .endString: return isQuery
        }
        return false
    }

    private mutating func readCommand(_ byte: UInt8) {
        switch byte {
        case 0x30...0x39 where !hasNumber: command = min(command * 10 + Int(byte & 15), 1000)
        // A `?` in place of a color.
        case UInt8(ascii: "?"): isQuery = isQuery || [4, 5].contains(command) || 10...19 ~= command
        default: hasNumber = true
        }
    }

    private var lastIntermediate: UInt8 { UInt8(truncatingIfNeeded: sequence.intermediates) }

    private func isQuery(final: UInt8) -> Bool {
        let (marker, last) = (sequence.marker, lastIntermediate)
        switch UnicodeScalar(final) {
        // DA1 to DA3; DECREQTPARM; XTWINOPS.
        case "c", "x", "t": return true
        // DSR; with '>', the sequence disables a key modifier option.
        case "n": return marker != UInt8(ascii: ">")
        // DECRQM; XTVERSION.
        case "p": return last == UInt8(ascii: "$")
        case "q": return marker == UInt8(ascii: ">")
        // XTQMODKEYS; XTSMGRAPHICS.
        case "m", "S": return marker == UInt8(ascii: "?")
        // Keyboard flags; DECRQTSR and DECRQUPSS.
        case "u": return marker == UInt8(ascii: "?") || last == UInt8(ascii: "$") || last == UInt8(ascii: "&")
        // DECRQCRA; DECRQPSR; DECRQDE.
        case "y": return last == UInt8(ascii: "*")
        case "w": return last == UInt8(ascii: "$")
        case "v": return last == UInt8(ascii: "\"")
        // In-band size reports: enabling them sends the first report immediately.
        case "h": return marker == UInt8(ascii: "?") && (0..<sequence.count).contains { sequence.value($0) == 2048 }
        default: return false
        }
    }
}
