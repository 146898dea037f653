/// Base64 (RFC 4648 §4), used for keys and fingerprints.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static let values: [UInt8?] = {
        var table = [UInt8?](repeating: nil, count: 256)
        for (value, byte) in alphabet.enumerated() { table[Int(byte)] = UInt8(value) }
        return table
    }()

    /// Encodes bytes; OpenSSH omits the padding only in fingerprints.
    package static func encode(_ bytes: [UInt8], padded: Bool = true) -> String {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            bits <<= 8
            for position in 0..<4 {
                if position <= group.count {
                    result.append(alphabet[Int(bits >> 26)])
                } else if padded {
                    result.append(UInt8(ascii: "="))
                }
                bits <<= 6
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Decodes padded Base64; nil for malformed text, including text whose pad bits are not zero (RFC 4648 §3.5).
    package static func decode(_ text: some BidirectionalCollection<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2 else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        for byte in text.dropLast(padding) {
            guard let value = values[Int(byte)] else { return nil }
            bits = (bits << 6 | UInt32(value)) & 0xff_ffff
            count += 6
            if count >= 8 {
                count -= 8
                result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        guard bits & ((1 << UInt32(count)) - 1) == 0 else { return nil }
        return result
    }
}
