import Core

/// Reads secrets from where profiles and options say they are.
package protocol SecretReading: Sendable {
    /// Returns the secret, or nil where the source is `none`.
    ///
    /// `key` names it in the secret store; nil for a server that is not saved, which has nothing stored.
    ///
    /// - Throws: `config` when the source gives none, and what the store and the program throw.
    func secret(from source: SecretSource, key: SecretKey?) async throws(VTError) -> Secret?
}
