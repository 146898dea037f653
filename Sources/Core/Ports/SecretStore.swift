/// Stores secrets outside the profiles file.
package protocol SecretStore: Sendable {
    /// Returns the secret, or nil if there is none.
    ///
    /// - Throws: `config` or `io` when the store is unavailable.
    func secret(_ key: SecretKey, in kind: SecretStoreKind) async throws(VTError) -> Secret?

    /// Stores a secret, replacing the previous one.
    func store(_ secret: Secret, as key: SecretKey, in kind: SecretStoreKind) async throws(VTError)

    /// Removes a secret; a missing one is not an error.
    func remove(_ key: SecretKey, in kind: SecretStoreKind) async throws(VTError)
}
