import Core

extension ProfileService {
    /// Sets the sources and the store of the profile's secrets, after the edit has been applied.
    ///
    /// - Throws: `usage` when a store is specified but there is nothing to store, and for a secret of a profile without
    ///   SSH.
    func setSecrets(
        of profile: inout Profile,
        _ edit: ProfileEdit,
        _ given: GivenSecrets
    ) throws(VTError) {
        for purpose in given.keys {
            let property: Profile.Property = purpose == .password ? \.password : \.passphrase
            if let (_, noun) = Profile.inapplicable(to: profile.transport).first(where: { $0.property == property }) {
                throw ProfileRules.isInapplicable(noun, to: profile)
            }
            profile.setSource(of: purpose, .stored)
        }
        let storesNothing = SecretKey.Purpose.allCases.allSatisfy { profile.source(of: $0) != .stored }
        guard !storesNothing else {
            guard edit.secretStore == nil else {
                throw VTError(
                    .usage,
                    "cannot select a secret store: profile '\(profile.name)' has no stored secret",
                    hint: "add --password-stdin or --passphrase-stdin"
                )
            }
            profile.secretStore = nil
            return
        }
        profile.secretStore = profile.secretStore ?? .secretService
    }

    func store(_ given: GivenSecrets, of profile: Profile) async throws(VTError) {
        guard let kind = profile.secretStore else { return }
        for (purpose, secret) in given {
            try await secrets.store(secret, as: profile.secretKey(purpose), in: kind)
        }
    }

    /// If an edit has selected another store, adds the stored secrets that it has not changed, so that they are moved as
    /// well.
    func addStored(to given: inout GivenSecrets, from present: Profile, for planned: Profile) async throws(VTError) {
        guard let store = present.secretStore, planned.secretStore != store else { return }
        for purpose in SecretKey.Purpose.allCases where given[purpose] == nil {
            guard [present, planned].allSatisfy({ $0.source(of: purpose) == .stored }) else { continue }
            given[purpose] = try await secrets.secret(present.secretKey(purpose), in: store)
        }
    }

    /// Removes all of the profile's stored secrets.
    func forgetStoredSecrets(of profile: Profile) async throws(VTError) {
        try await forgetLogin(of: profile)
        for purpose in SecretKey.Purpose.allCases where profile.source(of: purpose) == .stored {
            try await forget(purpose, of: profile)
        }
    }

    /// Removes the token of a login, which is only for the server, the user and the password with which it was made.
    func forgetLogin(of profile: Profile) async throws(VTError) {
        guard profile.vibeTunnel != nil else { return }
        try await secrets.remove(profile.loginKey, in: profile.loginStore)
    }

    func forget(_ purpose: SecretKey.Purpose, of profile: Profile) async throws(VTError) {
        guard let kind = profile.secretStore else { return }
        try await secrets.remove(profile.secretKey(purpose), in: kind)
    }
}
