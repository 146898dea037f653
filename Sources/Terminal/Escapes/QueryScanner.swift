import Glibc

/// Finds the ends of sequences that `Emulator` may reply to, without slowing down the output.
///
/// It examines only as much of an escape sequence as is needed to rule out the common ones. It may report sequences
/// that are not queries, but never misses a query.
package struct QueryScanner: Sendable {
    private enum State: Sendable {
        case ground, escape, controlSequence, deviceControl, string, stringEscape
    }

    private var state = State.ground
    /// The first byte of a sequence's parameters.
    private var first: UInt8 = 0
    /// The last four bytes of a sequence's parameters.
    private var tail: UInt32 = 0
    /// Whether the parameters include 2048; terminals reply when this mode is enabled.
    private var hasSizeNotes = false
    /// Whether the open string is a query.
    private var isQuery = false
    /// The number of an OSC sequence, as far as it has been read.
    private var command = 0
    /// Whether all digits of `command` have been read.
    private var hasNumber = false
    private var isCommand = false

    /// Starts outside any sequence.
    package init() {}

    /// Scans the next bytes; returns the end of the last query that ends in them; nil if there is none.
    package mutating func scan(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let start = bytes.baseAddress else { return nil }
        var found: Int?
        var index = 0
        while index < bytes.count {
            if state == .ground {
                guard let next = unsafe Self.skipCommon(start, index, bytes.count) else { break }
                index = next
            } else if state == .controlSequence {
                index = unsafe skipParameters(bytes, index)
                guard index < bytes.count else { break }
            }
            if take(unsafe bytes[index]) { found = index + 1 }
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
            guard let escape = unsafe nextEscape(bytes, index, count) else { return nil }
            index = escape
            var end = index + 2
            guard end < count, unsafe bytes.load(fromByteOffset: index + 1, as: UInt8.self) == UInt8(ascii: "[") else {
                return index
            }
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
            // After '?', more final bytes belong to queries.
            guard final &- 0x40 < 0x3F, first != UInt8(ascii: "?"), commonFinals &>> UInt64(final &- 0x40) & 1 != 0
            else {
                return index
            }
            index = end + 1
        }
        return nil
    }

    private static func nextEscape(_ bytes: UnsafeRawPointer, _ start: Int, _ count: Int) -> Int? {
        // Text between sequences is usually short; memchr(3) handles longer text.
        if start + 8 <= count {
            let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
            let difference = word ^ 0x1B1B_1B1B_1B1B_1B1B
            let zeros = (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
            if zeros != 0 { return start + zeros.trailingZeroBitCount / 8 }
        }
        guard let escape = unsafe memchr(bytes + start, 0x1B, count - start) else { return nil }
        return unsafe bytes.distance(to: UnsafeRawPointer(escape))
    }

    /// The final bytes, one bit each from `@` up, that never end a query unless it starts with `CSI ?`:
    /// ``@A-MPXZ`abdefghlmrs``.
    private static var commonFinals: UInt64 { 0x000C_31F7_0501_3FFF }

    /// Returns the index of the first byte that is not a parameter or intermediate byte.
    private mutating func skipParameters(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
        var (index, tail) = (start, tail)
        while index < bytes.count {
            let byte = unsafe bytes[index]
            guard byte &- 0x20 < 0x20 else { break }
            if tail == 0 { first = byte }
            if byte == UInt8(ascii: ";") { noteMode(tail) }
            tail = tail << 8 | UInt32(byte)
            index += 1
        }
        self.tail = tail
        return index
    }

    private mutating func noteMode(_ tail: UInt32) {
        if tail == 0x3230_3438 { hasSizeNotes = true }
    }

    /// Processes a byte; returns whether a query ends with it.
    private mutating func take(_ byte: UInt8) -> Bool {
        switch state {
        case .ground: if byte == 0x1B { state = .escape }
        case .escape: return begin(byte)
        case .controlSequence:
            if endsSequence(byte) { return false }
            guard byte >= 0x40 else { return false }
            state = .ground
            return isQuery(final: byte)
        case .deviceControl:
            if endsSequence(byte) { return false }
            guard byte >= 0x40 else {
                tail = tail << 8 | UInt32(byte)
                return false
            }
            // DECRQSS and XTGETTCAP.
            let intermediate = UInt8(truncatingIfNeeded: tail)
            isQuery = byte == UInt8(ascii: "q") && (intermediate == 0x24 || intermediate == 0x2B)
            state = .string
        case .string: return takeText(byte)
        case .stringEscape:
            if byte == UInt8(ascii: "\\") {
                state = .ground
                return isQuery
            }
            return begin(byte)
        }
        return false
    }

    /// Handles bytes that restart or cancel a sequence, or do not belong to it; returns false for all other bytes.
    private mutating func endsSequence(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x1B: state = .escape
        case 0x18, 0x1A: state = .ground
        // Bytes after a non-ASCII character may continue the sequence or be text.
        default: return byte < 0x20 || byte >= 0x7F
        }
        return true
    }

    private mutating func begin(_ byte: UInt8) -> Bool {
        (tail, first, hasSizeNotes, isQuery, isCommand) = (0, 0, false, false, false)
        switch byte {
        case UInt8(ascii: "["): state = .controlSequence
        case UInt8(ascii: "P"): state = .deviceControl
        case UInt8(ascii: "]"):
            (isCommand, command, hasNumber) = (true, 0, false)
            state = .string
        case UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"): state = .string
        case 0x1B: state = .escape
        // Control characters act immediately, and the sequence continues.
        case 0x00...0x17, 0x19, 0x1C...0x1F, 0x7F...: state = .escape
        default: state = .ground
        }
        return byte == UInt8(ascii: "Z")
    }

    private mutating func takeText(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x1B: state = .stringEscape
        case 0x18, 0x1A: state = .ground
        case 0x07 where isCommand:
            state = .ground
            return isQuery
        case 0x30...0x39 where isCommand && !hasNumber: command = min(command * 10 + Int(byte & 15), 1000)
        // A `?` in place of a color.
        case UInt8(ascii: "?") where isCommand: isQuery = isQuery || [4, 5].contains(command) || 10...19 ~= command
        default: hasNumber = true
        }
        return false
    }

    private func isQuery(final: UInt8) -> Bool {
        let last = UInt8(truncatingIfNeeded: tail)
        switch UnicodeScalar(final) {
        // DA1 to DA3; DECREQTPARM; XTWINOPS.
        case "c", "x", "t": return true
        // DSR; with '>', the sequence disables a key modifier option.
        case "n": return first != UInt8(ascii: ">")
        // DECRQM; XTVERSION.
        case "p": return last == UInt8(ascii: "$")
        case "q": return first == UInt8(ascii: ">")
        // XTQMODKEYS; XTSMGRAPHICS.
        case "m", "S": return first == UInt8(ascii: "?")
        // Keyboard flags; DECRQTSR and DECRQUPSS.
        case "u": return first == UInt8(ascii: "?") || last == UInt8(ascii: "$") || last == UInt8(ascii: "&")
        // DECRQCRA; DECRQPSR; DECRQDE.
        case "y": return last == UInt8(ascii: "*")
        case "w": return last == UInt8(ascii: "$")
        case "v": return last == UInt8(ascii: "\"")
        case "h": return first == UInt8(ascii: "?") && (hasSizeNotes || tail == 0x3230_3438)
        default: return false
        }
    }
}
