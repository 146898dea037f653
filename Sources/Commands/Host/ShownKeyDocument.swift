import Core
import Services

/// A host key presented by a server, as JSON.
struct ShownKeyDocument: Encodable {
    private let item: HostService.ShownKey
    private let host: HostSelection.Host

    init(_ item: HostService.ShownKey, of host: HostSelection.Host) {
        self.item = item
        self.host = host
    }

    private enum CodingKeys: String, CodingKey {
        case fingerprint, host, key, port, profile, status
        case keyType = "key_type"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(host.profile, forKey: .profile)
        try container.encode(host.endpoint.host, forKey: .host)
        try container.encode(host.endpoint.port, forKey: .port)
        try container.encode(item.key.type, forKey: .keyType)
        try container.encode(item.fingerprint, forKey: .fingerprint)
        try container.encode(Base64.encode(item.key.blob), forKey: .key)
        try container.encode(item.standing.rawValue, forKey: .status)
    }
}
