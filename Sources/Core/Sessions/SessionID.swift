/// The permanent identifier of a session: 12 lower-case hexadecimal digits.
///
/// It is short because it is part of a socket path, which is limited to 107 bytes (unix(7)). Servers other than vt have
/// identifiers in other forms.
package struct SessionID: Hashable, Sendable {
    package let text: String

    /// Returns nil unless the text is 12 digits of `0-9a-f`.
    package init?(_ text: String) {
        guard text.utf8.count == 12, text.utf8.allSatisfy(Self.isDigit) else { return nil }
        self.text = text
    }

    /// The ID of a session on a server other than vt; nil unless it consists of 1–128 ASCII letters, digits, `_` and `-`.
    package init?(foreign text: String) {
        let isValid = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard isValid, (1...128).contains(text.utf8.count) else { return nil }
        self.text = text
    }

    /// The ID of no session.
    static let zero = SessionID(unchecked: "000000000000")

    private init(unchecked text: String) {
        self.text = text
    }

    /// Returns a new random ID, from getrandom(2).
    package static func random() -> SessionID {
        SessionID(unchecked: String(RandomIdentifier.make().prefix(12)))
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

extension SessionID: JSONReadable {
    package static var jsonType: JSONType { .string }

    package init(_ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        self = try json.valid(json.string(in: document).flatMap { SessionID(foreign: $0) })
    }

    package func write(to writer: inout JSONWriter) { writer.string(text) }
}
