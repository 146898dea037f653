import Core

/// A known host key as JSON.
struct KnownHostDocument: Encodable {
    private let host: KnownHost

    init(_ host: KnownHost) {
        self.host = host
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

extension KnownHostDocument: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case names, marker
        case keyType = "key_type"
        case fingerprint, file, line
        case isOwn = "own"
    }

    static let documentName = "known host key"
    static let documentSummary = "a host key in a known_hosts file"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .names:
            JSONField(\Self.host.names, "comma-separated names and patterns, or one hashed name, as in the file")
        case .marker:
            JSONField(
                \Self.host.marker?.rawValue,
                of: KnownHost.Marker.self,
                "role of the key, if it is not an ordinary host key"
            )
        case .keyType: JSONField(\Self.host.keyType, "key type")
        case .fingerprint: JSONField(\Self.host.fingerprint, "SHA-256 fingerprint, as printed by `ssh-keygen -l`")
        case .file: JSONField(\Self.host.file, "path of the file")
        case .line: JSONField(\Self.host.line, "line number, starting at 1")
        case .isOwn: JSONField(\Self.host.isOwn, "whether the file is vt's own, the only one that vt changes")
        }
    }
}
