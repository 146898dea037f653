import Core

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

extension Profile {
    /// Names one of the profile's secrets in a store.
    func secretKey(_ purpose: SecretKey.Purpose) -> SecretKey {
        SecretKey(profileID: id, purpose: purpose, label: "vt: \(purpose.rawValue) of \(name)")
    }

    /// Where a secret of the profile comes from.
    func source(of purpose: SecretKey.Purpose) -> SecretSource {
        switch purpose {
        case .password: password
        case .passphrase: passphrase
        }
    }

    mutating func setSource(of purpose: SecretKey.Purpose, _ source: SecretSource) {
        switch purpose {
        case .password: password = source
        case .passphrase: passphrase = source
        }
    }
}
