import Core

/// A known host key as JSON.
struct KnownHostDocument: Encodable {
    private let host: KnownHost

    init(_ host: KnownHost) {
        self.host = host
    }

    private enum CodingKeys: String, CodingKey {
        case names, marker, fingerprint, file, line
        case keyType = "key_type"
        case isOwn = "own"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(host.names, forKey: .names)
        try container.encodeIfPresent(host.marker?.rawValue, forKey: .marker)
        try container.encode(host.keyType, forKey: .keyType)
        try container.encode(host.fingerprint, forKey: .fingerprint)
        try container.encode(host.file, forKey: .file)
        try container.encode(host.line, forKey: .line)
        try container.encode(host.isOwn, forKey: .isOwn)
    }
}
