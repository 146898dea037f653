/// Decodes UTF-8 byte by byte; each maximal subpart of ill-formed input becomes U+FFFD.
///
/// This is the practice recommended by the Unicode Standard (§3.9, "U+FFFD Substitution of Maximal Subparts").
struct UTF8Decoder: Sendable {
    enum Step {
        case scalar(UInt32)
        case more
        /// The preceding bytes are ill-formed; the current byte must be processed again.
        case brokenBefore
        case broken
    }

    static let replacement: UInt32 = 0xFFFD

    private var scalar: UInt32 = 0
    private(set) var missing = 0
    private var lower: UInt8 = 0x80
    private var upper: UInt8 = 0xBF

    /// Processes a byte of 0x80 or higher, or any byte after an incomplete character.
    @inline(__always)
    mutating func consume(_ byte: UInt8) -> Step {
        guard missing > 0 else { return begin(byte) }
        guard byte >= lower, byte <= upper else {
            missing = 0
            return .brokenBefore
        }
        lower = 0x80
        upper = 0xBF
        scalar = scalar << 6 | UInt32(byte & 0x3F)
        missing -= 1
        return missing == 0 ? .scalar(scalar) : .more
    }

    /// Processes the first byte of a character.
    ///
    /// The allowed range of the second byte excludes overlong forms, surrogates and values above U+10FFFF (Table 3-7).
    @inline(__always)
    private mutating func begin(_ byte: UInt8) -> Step {
        lower = 0x80
        upper = 0xBF
        switch byte {
        case 0xC2...0xDF:
            (scalar, missing) = (UInt32(byte & 0x1F), 1)
        case 0xE0...0xEF:
            (scalar, missing) = (UInt32(byte & 0x0F), 2)
            if byte == 0xE0 { lower = 0xA0 }
            if byte == 0xED { upper = 0x9F }
        case 0xF0...0xF4:
            (scalar, missing) = (UInt32(byte & 0x07), 3)
            if byte == 0xF0 { lower = 0x90 }
            if byte == 0xF4 { upper = 0x8F }
        default:
            return .broken
        }
        return .more
    }

    /// The bytes of the incomplete character.
    ///
    /// Because overlong forms are excluded, the value so far determines the number of bytes.
    var unfinished: [UInt8] {
        let tail = { (shift: UInt32) in UInt8(0x80 | scalar >> shift & 0x3F) }
        return switch (missing, scalar) {
        case (0, _): []
        case (1, ..<0x20): [UInt8(0xC0 | scalar)]
        case (1, ..<0x400): [UInt8(0xE0 | scalar >> 6), tail(0)]
        case (1, _): [UInt8(0xF0 | scalar >> 12), tail(6), tail(0)]
        case (2, ..<0x10): [UInt8(0xE0 | scalar)]
        case (2, _): [UInt8(0xF0 | scalar >> 6), tail(0)]
        default: [UInt8(0xF0 | scalar)]
        }
    }

    /// Discards the incomplete character; returns whether there was one.
    mutating func abandon() -> Bool {
        defer { missing = 0 }
        return missing > 0
    }
}
