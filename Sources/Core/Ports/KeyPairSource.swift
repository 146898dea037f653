/// Generates and parses key pairs.
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
}
