import Core
import Services

/// A host key that a server shows, as JSON.
struct ShownKeyDocument: Encodable {
    private let item: HostService.ShownKey

    init(_ item: HostService.ShownKey) {
        self.item = item
    }

    private enum CodingKeys: String, CodingKey {
        case fingerprint, key, status
        case keyType = "key_type"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(item.key.type, forKey: .keyType)
        try container.encode(item.fingerprint, forKey: .fingerprint)
        try container.encode(Base64.encode(item.key.blob), forKey: .key)
        try container.encode(item.standing.rawValue, forKey: .status)
    }
}
