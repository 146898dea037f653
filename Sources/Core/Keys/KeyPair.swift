/// A private key, in its file format, and its public half.
package struct KeyPair: Sendable {
    /// The complete file, in OpenSSH's format (PROTOCOL.key in OpenSSH's source).
    package var privateKey: Secret
    package var publicKey: PublicKey
    package var isEncrypted: Bool

    package init(privateKey: Secret, publicKey: PublicKey, isEncrypted: Bool) {
        self.privateKey = privateKey
        self.publicKey = publicKey
        self.isEncrypted = isEncrypted
    }
}

/// The kind of a new key, with its size.
package enum KeyKind: Hashable, Sendable {
    case ed25519
    /// On the curve P-256.
    case ecdsa
    case rsa(bits: Int)
}
