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
