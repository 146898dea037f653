/// Reads secrets from where profiles and options say they are.
package protocol SecretReading: Sendable {
    /// Returns the secret, or nil where the source is `none`.
    ///
    /// `profile` is whose secret it is; nil for a server that is not saved, which has nothing stored.
    ///
    /// - Throws: `config` when the source gives none, and what the store and the program throw.
    func secret(
        _ purpose: SecretKey.Purpose,
        from source: SecretSource,
        of profile: Profile?
    ) async throws(VTError) -> Secret?
}
