import Core

/// What a server says before the first packet (RFC 4253 §4.2).
///
/// libssh2's own banner may be one of the lines that come before the identification.
struct ServerGreeting: Equatable, Sendable {
    /// The identification line, once it has come whole.
    private(set) var identification: String?
    /// The first line, when it is another one.
    private(set) var firstLine: String?

    /// More of a line is of no use in a message.
    private static let lineLimitBytes = 200

    init(firstBytes bytes: [UInt8]) {
        var reader = WireReader(bytes[...])
        while let line = reader.line() {
            let text = String(decoding: line.prefix(Self.lineLimitBytes), as: UTF8.self)
            if text.hasPrefix("SSH-") {
                identification = text
                return
            }
            firstLine = firstLine ?? (text.isEmpty ? nil : text)
        }
    }

    /// Whether the identified server speaks the protocol; 1.99 stands for both versions (RFC 4253 §5.1).
    var isUsable: Bool {
        guard let identification else { return true }
        return identification.hasPrefix("SSH-2.0-") || identification.hasPrefix("SSH-1.99-")
    }
}
