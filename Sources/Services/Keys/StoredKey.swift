import Core

/// A key that vt keeps.
package struct StoredKey: Sendable {
    package var name: String
    /// The path of the private key.
    package var path: String
    package var publicKey: PublicKey
    /// As printed by `ssh-keygen -l`.
    package var fingerprint: String
    package var isEncrypted: Bool
    /// The names of the profiles that use the key, sorted.
    package var profiles: [String]

    package var publicPath: String { path + StoredKeyName.publicSuffix }
}

extension StoredKey: JSONDocument {
    package static let documentName = "key"
    package static let documentSummary = "a key that vt keeps"

    package static let fields: JSONTable<Self> = [
        .field("name", \.name, "name"),
        .field("type", \.publicKey.type, "key type, such as `ssh-ed25519`"),
        .field("bits", \.bits, "size of the key in bits"),
        .field("fingerprint", \.fingerprint, "SHA-256 fingerprint, as printed by `ssh-keygen -l`"),
        .field("comment", \.publicKey.comment, "comment"),
        .field("encrypted", \.isEncrypted, "whether the private key is encrypted with a passphrase"),
        .field("path", \.path, "path of the private key"),
        .field("public_path", \.publicPath, "path of the public key"),
        .field("public_key", \.publicKey.line, "public key, as a line for authorized_keys"),
        .field("profiles", \.profiles, "names of the profiles that use the key"),
    ]

    /// 0 if the type is unknown.
    private var bits: Int { publicKey.bits ?? 0 }
}
