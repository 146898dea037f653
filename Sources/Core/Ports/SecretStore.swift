/// Keeps secrets outside the profiles file.
package protocol SecretStore: Sendable {
    /// Returns the secret, or nil where there is none.
    ///
    /// - Throws: `config` or `io` when the store does not work.
    func secret(_ key: SecretKey, in kind: SecretStoreKind) async throws(VTError) -> Secret?

    /// Keeps a secret, replacing the former one.
    func store(_ secret: Secret, as key: SecretKey, in kind: SecretStoreKind) async throws(VTError)

    /// Forgets a secret; one that is not there is no error.
    func remove(_ key: SecretKey, in kind: SecretStoreKind) async throws(VTError)
}
