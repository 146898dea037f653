import Core

/// The algorithm lists offered by a server, parsed from its first packet (RFC 4253 §7.1).
///
/// That packet is not encrypted. libssh2 does not report the lists, only that nothing matched.
struct ServerKeyExchangeInit: Equatable, Sendable {
    /// The names by kind; ciphers and MACs are those from client to server.
    private let lists: [AlgorithmKind: [String]]

    /// Finds the packet after the identification line in the first bytes of a connection; nil if it is missing.
    init?(firstBytes bytes: [UInt8]) {
        var reader = WireReader(bytes[...])
        // RFC 4253 §4.2: other lines may precede the one that starts with "SSH-".
        while let line = reader.line() {
            guard line.starts(with: Array("SSH-".utf8)) else { continue }
            guard reader.uint32() != nil, let padding = reader.byte(), padding >= 4, reader.byte() == 20,
                reader.bytes(16) != nil, let keyExchange = reader.nameList(), let hostKey = reader.nameList(),
                let cipher = reader.nameList(), reader.nameList() != nil, let mac = reader.nameList()
            else { return nil }
            lists = [.keyExchange: keyExchange, .hostKey: hostKey, .cipher: cipher, .mac: mac]
            return
        }
        return nil
    }

    func list(_ kind: AlgorithmKind) -> [String] { lists[kind] ?? [] }
}
