/// Bytes that are usually text but need not be: words of a command line, file names, shell lines.
///
/// POSIX words may hold every byte but NUL; a `String` would repair what is not UTF-8 and so change it.
package struct ByteString: Hashable, Sendable {
    package var bytes: [UInt8]

    package init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    package init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
    }

    /// The text, or nil where the bytes are not UTF-8.
    package var text: String? {
        String(validating: bytes, as: UTF8.self)
    }

    /// The text with U+FFFD for what is not UTF-8; for messages only.
    package var repairedText: String {
        String(decoding: bytes, as: UTF8.self)
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

extension Sequence<ByteString> {
    /// Returns the words with `separator` between them.
    package func joined(separator: ByteString) -> ByteString {
        ByteString(map(\.bytes).joined(separator: separator.bytes))
    }
}
