import Core

/// The lines that a server sends before the first packet (RFC 4253 §4.2), and the algorithms in that packet.
///
/// They are parsed here because the banner that libssh2 returns can be one of the lines before the identification, and
/// because libssh2 does not report the algorithms, only that nothing matched.
struct ServerGreeting: Equatable, Sendable {
    /// The identification line, once it is complete.
    private(set) var identification: String?
    /// The first line, complete or not, if it is not the identification.
    private(set) var firstLine: String?
    /// The algorithms offered by the server (RFC 4253 §7.1); nil if the packet is incomplete or malformed.
    ///
    /// Ciphers and MACs are those from client to server.
    private(set) var algorithms: [AlgorithmKind: [String]]?

    /// The length to which lines are truncated for messages.
    private static let lineLimitBytes = 200

    init(firstBytes bytes: [UInt8]) {
        var reader = WireReader(bytes[...])
        while let line = reader.line() {
            let text = Self.text(line)
            if text.hasPrefix("SSH-") {
                identification = text
                algorithms = Self.algorithms(&reader)
                return
            }
            firstLine = firstLine ?? (text.isEmpty ? nil : text)
        }
        let rest = Self.text(bytes[(bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)...])
        if !rest.isEmpty, !rest.hasPrefix("SSH-"), !"SSH-".hasPrefix(rest) { firstLine = firstLine ?? rest }
    }

    private static func text(_ line: ArraySlice<UInt8>) -> String {
        String(decoding: line.prefix(lineLimitBytes), as: UTF8.self)
    }

    private static func algorithms(_ reader: inout WireReader) -> [AlgorithmKind: [String]]? {
        guard reader.uint32() != nil, let padding = reader.byte(), padding >= 4, reader.byte() == 20,
            reader.bytes(16) != nil, let keyExchange = reader.nameList(), let hostKey = reader.nameList(),
            let cipher = reader.nameList(), reader.nameList() != nil, let mac = reader.nameList()
        else { return nil }
        return [.keyExchange: keyExchange, .hostKey: hostKey, .cipher: cipher, .mac: mac]
    }

    /// Whether the server said that too many connections are not authenticated yet, as sshd(8) does when MaxStartups of
    /// sshd_config(5) is exceeded (OpenSSH 8.2 and later).
    var namesStartupLimit: Bool {
        identification == nil && firstLine?.hasPrefix("Exceeded MaxStartups") ?? false
    }

    /// Whether the server supports SSH 2; true until the identification is complete.
    ///
    /// Version 1.99 means that the server supports SSH 1, too (RFC 4253 §5.1).
    var isUsable: Bool {
        guard let identification else { return true }
        return identification.hasPrefix("SSH-2.0-") || identification.hasPrefix("SSH-1.99-")
    }
}
