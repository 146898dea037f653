/// What a session is known by for good: 12 hexadecimal digits in lower case.
///
/// It is short because it stands in the path of a socket, which may have 107 bytes (unix(7)).
package struct SessionID: Hashable, Sendable {
    package let text: String

    /// Returns nil for anything but 12 digits of `0-9a-f`.
    package init?(_ text: String) {
        guard text.utf8.count == 12, text.utf8.allSatisfy(Self.isDigit) else { return nil }
        self.text = text
    }

    private init(unchecked text: String) {
        self.text = text
    }

    /// Returns an id that no other session has; its digits come from getrandom(2).
    package static func random() -> SessionID {
        SessionID(unchecked: String(RandomIdentifier.make().prefix(12)))
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
