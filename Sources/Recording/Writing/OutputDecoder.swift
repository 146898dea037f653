/// Converts a program's output to UTF-8 as it is read.
///
/// Each maximal subpart of ill-formed input becomes U+FFFD, as recommended by the Unicode Standard (§3.9). A character
/// that is split across two reads is returned with the second one.
package struct OutputDecoder: Sendable {
    /// The start of an incomplete character, at most three bytes.
    private var open: [UInt8] = []

    package init() {}

    /// Returns the text of the bytes up to the last complete character.
    package mutating func decode(_ bytes: [UInt8]) -> [UInt8] {
        let all = open.isEmpty ? bytes : open + bytes
        let length = Self.openLength(all)
        open = Array(all.suffix(length))
        let whole = length == 0 ? all : Array(all.dropLast(length))
        if (try? UTF8Span(validating: whole.span)) != nil { return whole }
        return Array(String(decoding: whole, as: UTF8.self).utf8)
    }

    /// Returns U+FFFD if the bytes ended with an incomplete character.
    package mutating func finish() -> [UInt8] {
        defer { open = [] }
        return Array(String(decoding: open, as: UTF8.self).utf8)
    }

    /// The number of bytes at the end that can be the start of a valid character (Unicode Standard, Table 3-7).
    private static func openLength(_ bytes: [UInt8]) -> Int {
        for length in 1...3 where length <= bytes.count {
            let lead = bytes[bytes.count - length]
            guard lead >= 0xC0 else {
                if lead < 0x80 { return 0 }
                continue
            }
            let needed = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
            guard lead >= 0xC2, lead <= 0xF4, needed > length else { return 0 }
            return length == 1 || isSecond(bytes[bytes.count - length + 1], lead) ? length : 0
        }
        return 0
    }

    private static func isSecond(_ byte: UInt8, _ lead: UInt8) -> Bool {
        switch lead {
        case 0xE0: (0xA0...0xBF).contains(byte)
        case 0xED: (0x80...0x9F).contains(byte)
        case 0xF0: (0x90...0xBF).contains(byte)
        case 0xF4: (0x80...0x8F).contains(byte)
        default: (0x80...0xBF).contains(byte)
        }
    }
}
