/// Stores the keys that vt generates and imports.
package protocol KeyStore: Sendable {
    /// Returns the names of all keys, sorted.
    ///
    /// - Throws: `io`.
    func names() throws(VTError) -> [String]

    /// The path of a private key; the path of the public key has `StoredKeyName.publicSuffix` appended.
    func path(of name: String) -> String

    /// Returns the contents of the files of a key; nil if there is no such key.
    ///
    /// - Throws: `config` when another user could have changed the file; `io`.
    func read(_ name: String) throws(VTError) -> StoredKeyFiles?

    /// Stores a new key; leaves no files if it fails.
    ///
    /// - Throws: `exists`, `cannot-create` or `io`; `config` when another user could change the file.
    func add(_ pair: KeyPair, as name: StoredKeyName) throws(VTError)

    /// Removes the files of a key; a missing file is not an error.
    ///
    /// - Throws: `cannot-create`.
    func remove(_ name: String) throws(VTError)
}

/// The contents of the files of a key.
package struct StoredKeyFiles: Sendable {
    package var privateKey: Secret
    /// Nil if the file is missing.
    package var publicLine: String?

    package init(privateKey: Secret, publicLine: String?) {
        self.privateKey = privateKey
        self.publicLine = publicLine
    }
}
