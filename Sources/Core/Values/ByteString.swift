import Glibc

/// Bytes that are usually, but not necessarily, UTF-8 text: command line words, file names and shell lines.
///
/// POSIX words can contain any byte except NUL; a `String` would replace invalid UTF-8.
package struct ByteString: Hashable, Sendable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = Array(bytes)
    }

    package init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    package init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
    }

    /// The text, or nil if the bytes are not valid UTF-8.
    package var text: String? {
        String(validating: bytes, as: UTF8.self)
    }

    /// The text with U+FFFD for invalid UTF-8; for messages only.
    package var repairedText: String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// Compares all bytes at once; an array would compare each byte.
    package static func == (left: ByteString, right: ByteString) -> Bool {
        unsafe left.bytes.withUnsafeBytes { left in
            unsafe right.bytes.withUnsafeBytes { right in
                guard let start = left.baseAddress, let other = right.baseAddress else {
                    return unsafe left.isEmpty && right.isEmpty
                }
                return unsafe left.count == right.count && memcmp(start, other, left.count) == 0
            }
        }
    }

    /// Hashes all bytes at once; an array would hash each byte.
    package func hash(into hasher: inout Hasher) {
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }

    package static func + (left: ByteString, right: ByteString) -> ByteString {
        ByteString(left.bytes + right.bytes)
    }
}

extension ByteString: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) {
        self.init(value)
    }
}

extension [ByteString] {
    /// Returns the words with `separator` between them.
    package func joined(separator: ByteString) -> ByteString {
        var bytes: [UInt8] = []
        for index in indices {
            if index > 0 { bytes += separator.bytes }
            bytes += self[index].bytes
        }
        return ByteString(bytes)
    }
}
