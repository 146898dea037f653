/// Decodes the payload of OSC 52: `52;SELECTIONS;BASE64` (xterm, Control Sequences).
struct ClipboardDecoder {
    private enum State {
        case number(Int)
        case selections
        case content
        case other
    }

    private static let number = Array("52;".utf8)

    private var state = State.number(0)
    private var bits: UInt32 = 0
    private var characters: [UInt64?] = []

    /// Processes a character and its offset; returns decoded bytes with their offsets, or nil.
    ///
    /// Bytes are returned for every fourth Base64 character, and for the padding.
    mutating func consume(_ byte: UInt8, _ offset: UInt64?) -> [(UInt8, UInt64?)]? {
        switch state {
        case .number(let count):
            guard byte == Self.number[count] else {
                state = .other
                return nil
            }
            state = count == 2 ? .selections : .number(count + 1)
        case .selections:
            if byte == UInt8(ascii: ";") { state = .content }
        case .content: return content(byte, offset)
        case .other: break
        }
        return nil
    }

    private mutating func content(_ byte: UInt8, _ offset: UInt64?) -> [(UInt8, UInt64?)]? {
        guard let value = Self.value(byte) else {
            defer { state = .other }
            guard byte == UInt8(ascii: "="), characters.count > 1 else { return nil }
            return decoded(characters.count, bits << UInt32(6 * (4 - characters.count)))
        }
        bits = bits << 6 | value
        characters.append(offset)
        guard characters.count == 4 else { return nil }
        return decoded(4, bits)
    }

    private mutating func decoded(_ count: Int, _ bits: UInt32) -> [(UInt8, UInt64?)] {
        defer {
            characters.removeAll(keepingCapacity: true)
            self.bits = 0
        }
        return (0..<count - 1).map { index in
            (UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * index)), characters[index])
        }
    }

    private static func value(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x41...0x5A: UInt32(byte - 0x41)
        case 0x61...0x7A: UInt32(byte - 0x61 + 26)
        case 0x30...0x39: UInt32(byte - 0x30 + 52)
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
