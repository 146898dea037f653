/// The encoding of bytes in URLs (RFC 3986 §2.1).
package enum PercentEncoding {
    /// Returns the decoded bytes; nil if a percent sign is not followed by two hexadecimal digits.
    package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next()?.hexadecimalValue, let low = rest.next()?.hexadecimalValue else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
