/// Reads secrets from the sources specified in profiles and options.
package protocol SecretReading: Sendable {
    /// Returns the secret, or nil if the source is `none`.
    ///
    /// `profile` is the secret's profile; nil for an unsaved server, which has no stored secrets.
    ///
    /// - Throws: `config` when the source has no secret, and errors from the store and from commands.
    func secret(
        _ purpose: SecretKey.Purpose,
        from source: SecretSource,
        of profile: Profile?
    ) async throws(VTError) -> Secret?
}
