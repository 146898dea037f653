import Arguments
import Core
import Services

/// A key that vt keeps, as JSON.
struct KeyDocument {
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
    static let documentName = "key"
    static let documentSummary = "a key that vt keeps"

    static let fields: JSONTable<Self> = [
        .field("name", \.name, "name"),
        .field("type", \.type, "key type, such as `ssh-ed25519`"),
        .field("bits", \.bits, "size of the key in bits"),
        .field("fingerprint", \.fingerprint, "SHA-256 fingerprint, as printed by `ssh-keygen -l`"),
        .field("comment", \.comment, "comment"),
        .field("encrypted", \.encrypted, "whether the private key is encrypted with a passphrase"),
        .field("path", \.path, "path of the private key"),
        .field("public_path", \.publicPath, "path of the public key"),
        .field("public_key", \.publicKey, "public key, as a line for authorized_keys"),
        .field("profiles", \.profiles, "names of the profiles that use the key"),
    ]
}
