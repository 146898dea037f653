import Arguments
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

extension ShownKeyDocument: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case profile, host, port
        case keyType = "key_type"
        case fingerprint, key, status
    }

    static let documentName = "host key"
    static let documentSummary = "a host key presented by a server"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .profile: JSONField(\Self.host.profile, "profile; absent for a server that is not saved")
        case .host: JSONField(\Self.host.endpoint.host, "host name or address")
        case .port: JSONField(\Self.host.endpoint.port, "port")
        case .keyType: JSONField(\Self.item.key.type, "key type")
        case .fingerprint: JSONField(\Self.item.fingerprint, "SHA-256 fingerprint, as printed by `ssh-keygen -l`")
        case .key: JSONField(.string, "public key in Base64, as in a known_hosts file")
        case .status:
            JSONField(
                \Self.item.standing.rawValue,
                of: HostService.Standing.self,
                "status of the key; `new`: no key of this type is known"
            )
        }
    }
}
