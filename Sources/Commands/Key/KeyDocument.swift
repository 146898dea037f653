import Arguments
import Core
import Services

/// A key that vt keeps, as JSON.
struct KeyDocument: Encodable {
    let name: String
    let type: String
    let bits: Int
    let fingerprint: String
    let comment: String
    let encrypted: Bool
    let path: String
    let publicPath: String
    let publicKey: String
    let profiles: [String]

    init(_ key: StoredKey) {
        name = key.name
        type = key.publicKey.type
        bits = key.publicKey.bits ?? 0
        fingerprint = key.fingerprint
        comment = key.publicKey.comment
        encrypted = key.isEncrypted
        path = key.path
        publicPath = key.publicPath
        publicKey = key.publicKey.line
        profiles = key.profiles
    }
}

extension KeyDocument: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, type, bits, fingerprint, comment, encrypted, path
        case publicPath = "public_path"
        case publicKey = "public_key"
        case profiles
    }

    static let documentName = "key"
    static let documentSummary = "a key that vt keeps"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .name: JSONField(\Self.name, "name")
        case .type: JSONField(\Self.type, "key type, such as `ssh-ed25519`")
        case .bits: JSONField(\Self.bits, "size of the key in bits")
        case .fingerprint: JSONField(\Self.fingerprint, "SHA-256 fingerprint, as printed by `ssh-keygen -l`")
        case .comment: JSONField(\Self.comment, "comment")
        case .encrypted: JSONField(\Self.encrypted, "whether the private key is encrypted with a passphrase")
        case .path: JSONField(\Self.path, "path of the private key")
        case .publicPath: JSONField(\Self.publicPath, "path of the public key")
        case .publicKey: JSONField(\Self.publicKey, "public key, as a line for authorized_keys")
        case .profiles: JSONField(\Self.profiles, "names of the profiles that use the key")
        }
    }
}
