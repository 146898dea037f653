/// A kind of algorithm that options select.
package enum AlgorithmKind: Sendable, CaseIterable {
    case keyExchange, hostKey, cipher, mac
    /// The algorithms of the user's signatures, which are not negotiated.
    case userKey

    /// The kinds negotiated in the key exchange (RFC 4253 §7.1).
    package static let negotiated = [AlgorithmKind.keyExchange, .hostKey, .cipher, .mac]

    /// The name in messages.
    package var label: String {
        switch self {
        case .keyExchange: "key exchange"
        case .hostKey: "host key type"
        case .cipher: "cipher"
        case .mac: "MAC"
        case .userKey: "user key type"
        }
    }
}
