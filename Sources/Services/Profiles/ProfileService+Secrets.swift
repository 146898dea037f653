import Core

extension ProfileService {
    /// Sets the sources of the profile's secrets according to the edit.
    ///
    /// - Throws: `usage` when a store is specified but there is nothing to store, and for a secret of a profile without
    ///   SSH.
    func setSecrets(
        of profile: inout Profile,
        _ edit: ProfileEdit,
        _ given: GivenSecrets
    ) throws(VTError) {
        if let source = edit.password { profile.password = source }
        if let source = edit.passphrase { profile.passphrase = source }
        for purpose in given.keys {
            guard profile.transport == .ssh else {
                throw ProfileRules.isWithoutSSH(profile, property: purpose.rawValue)
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
        profile.secretStore = edit.secretStore ?? profile.secretStore ?? .secretService
    }

    func store(_ given: GivenSecrets, of profile: Profile) async throws(VTError) {
        guard let kind = profile.secretStore else { return }
        for (purpose, secret) in given {
            try await secrets.store(secret, as: profile.secretKey(purpose), in: kind)
        }
    }

    /// If the edit selects another store, adds the stored secrets that it does not change, so that they are moved as
    /// well.
    func addStored(to given: inout GivenSecrets, from profile: Profile, _ edit: ProfileEdit) async throws(VTError) {
        guard let present = profile.secretStore, let chosen = edit.secretStore, chosen != present else { return }
        let replaced: [SecretKey.Purpose: (SecretSource?, ProfileEdit.Field)] = [
            .password: (edit.password, .password), .passphrase: (edit.passphrase, .passphrase),
        ]
        for (purpose, (source, field)) in replaced {
            guard profile.source(of: purpose) == .stored, source == nil, given[purpose] == nil,
                !edit.unset.contains(field)
            else { continue }
            given[purpose] = try await secrets.secret(profile.secretKey(purpose), in: present)
        }
    }

    /// Removes all of the profile's stored secrets.
    func forgetStoredSecrets(of profile: Profile) async throws(VTError) {
        for purpose in SecretKey.Purpose.allCases where profile.source(of: purpose) == .stored {
            try await forget(purpose, of: profile)
        }
    }

    func forget(_ purpose: SecretKey.Purpose, of profile: Profile) async throws(VTError) {
        guard let kind = profile.secretStore else { return }
        try await secrets.remove(profile.secretKey(purpose), in: kind)
    }
}
