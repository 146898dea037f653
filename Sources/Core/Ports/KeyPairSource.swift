/// Generates and parses key pairs, and finds those of the user.
package protocol KeyPairSource: Sendable {
    /// Generates an unencrypted key.
    ///
    /// - Throws: `system` when the cryptographic library fails.
    func generate(_ kind: KeyKind, comment: String) throws(VTError) -> KeyPair

    /// Parses the contents of a private key file, and converts them to OpenSSH's format if necessary.
    ///
    /// The formats are OpenSSH's own, encrypted or not, and unencrypted PEM (PKCS #1, PKCS #8 and SEC 1). Line endings
    /// and surrounding white space are normalized. `name` is the file's name in errors, and `comment` is used if the
    /// file has none.
    ///
    /// - Throws: `data.invalid`.
    func parse(_ contents: [UInt8], name: String, comment: String) throws(VTError) -> KeyPair

    /// Returns the Ed25519 keys among the credentials, which can sign what is not part of SSH: those of the agent, and
    /// unencrypted ones in OpenSSH's format.
    ///
    /// - Throws: Errors of keys that were requested explicitly, as for SSH.
    func signingKeys(of credentials: Credentials) async throws(VTError) -> [SigningKey]
}

/// A key that signs data.
package struct SigningKey: Sendable {
    package let publicKey: PublicKey
    /// Returns the signature, without the name of its algorithm.
    package let sign: @Sendable (_ data: [UInt8]) async throws(VTError) -> [UInt8]

    package init(
        _ publicKey: PublicKey,
        sign: @escaping @Sendable (_ data: [UInt8]) async throws(VTError) -> [UInt8]
    ) {
        (self.publicKey, self.sign) = (publicKey, sign)
    }
}
