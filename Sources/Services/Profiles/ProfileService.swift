import Core

/// Manages the saved servers.
package struct ProfileService: Sendable {
    let profiles: any ProfileStore
    let secrets: any SecretStore
    let now: @Sendable () -> Timestamp

    package init(
        profiles: any ProfileStore,
        secrets: any SecretStore,
        now: @escaping @Sendable () -> Timestamp = { Timestamp.now() }
    ) {
        self.profiles = profiles
        self.secrets = secrets
        self.now = now
    }

    /// Secrets given with a change, to be saved in the store.
    package typealias GivenSecrets = [SecretKey.Purpose: Secret]

    // MARK: - Reading

    /// The profiles that have all the tags and contain the text in their name, host, user, program, note or
    /// tags, sorted by name.
    ///
    /// The text is compared case-insensitively.
    package func list(tags: [String] = [], search: String? = nil) throws(VTError) -> [Profile] {
        try profiles.load().values
            .filter { profile in
                guard tags.allSatisfy(profile.tags.contains) else { return false }
                guard let text = search?.lowercased(), !text.isEmpty else { return true }
                let texts = [profile.name, profile.address, profile.user, profile.note].compactMap(\.self)
                let fields = texts + profile.tags
                return fields.contains { $0.lowercased().contains(text) }
            }
            .sorted { $0.name.naturallyPrecedes($1.name) }
    }

    /// - Throws: `not-found`, with the closest name as a hint if there is a similar one.
    package func profile(_ name: String) throws(VTError) -> Profile {
        try ProfileRules.profile(name, in: try profiles.load())
    }

    // MARK: - Changing

    /// Saves a new profile, for a destination or, if that is nil, for the program in the edit.
    ///
    /// With `replacing`, the new profile replaces one of the same name, whose secrets are removed.
    ///
    /// - Throws: `exists`; `usage` for a jump host loop, a secret store without a secret, or SSH properties for a
    ///   profile with a program; `not-found` for an unknown jump host; errors from the stores.
    package func add(
        _ name: ProfileName,
        to destination: Destination?,
        _ edit: ProfileEdit,
        secrets given: GivenSecrets = [:],
        replacing: Bool = false
    ) async throws(VTError) -> Profile {
        var profile = Profile(id: RandomIdentifier.make(), name: name, host: destination?.host ?? "", createdAt: now())
        profile.user = destination?.user
        profile.port = destination?.port ?? profile.port
        edit.apply(to: &profile)
        try setSecrets(of: &profile, edit, given)
        // A profile that cannot be saved must not leave a secret in the store.
        try check(profile, after: edit, isNew: !replacing, in: try profiles.load())
        try await store(given, of: profile)
        let former: Profile?
        do throws(VTError) {
            former = try profiles.update { all throws(VTError) in
                try check(profile, after: edit, isNew: !replacing, in: all)
                return all.updateValue(profile, forKey: profile.name)
            }
        } catch {
            try await forgetStoredSecrets(of: profile)
            throw error
        }
        if let former { try await forgetStoredSecrets(of: former) }
        return profile
    }

    /// Changes a profile.
    ///
    /// Stored secrets that the profile no longer refers to are removed; those that remain are moved if the edit selects
    /// another store.
    ///
    /// - Throws: `not-found` for an unknown profile or jump host; `usage` for a jump host loop, a secret store without
    ///   a secret, or SSH properties for a profile with a program; errors from the stores.
    package func edit(
        _ name: String,
        _ edit: ProfileEdit,
        secrets given: GivenSecrets = [:]
    ) async throws(VTError) -> Profile {
        let present = try profile(name)
        var given = given
        var planned = present
        edit.apply(to: &planned)
        try await addStored(to: &given, from: present, for: planned)
        try setSecrets(of: &planned, edit, given)
        try check(planned, after: edit, isNew: false, in: try profiles.load())
        try await store(given, of: planned)
        let (former, profile) = try profiles.update { all throws(VTError) in
            let former = try ProfileRules.profile(name, in: all)
            var profile = former
            edit.apply(to: &profile)
            try setSecrets(of: &profile, edit, given)
            try check(profile, after: edit, isNew: false, in: all)
            all[name] = profile
            return (former, profile)
        }
        try await forgetLogin(of: former)
        for purpose in SecretKey.Purpose.allCases where former.source(of: purpose) == .stored {
            let isKept = profile.source(of: purpose) == .stored && profile.secretStore == former.secretStore
            if !isKept { try await forget(purpose, of: former) }
        }
        return profile
    }

    /// Removes either all of the given profiles, with their secrets, or none.
    ///
    /// With `keepingSecrets`, the secret store is not accessed.
    ///
    /// - Throws: `not-found` when a profile does not exist; `usage` when a profile that would remain uses one of them
    ///   as a jump host; errors from the stores.
    package func remove(_ names: [String], keepingSecrets: Bool = false) async throws(VTError) {
        let present = try profiles.load()
        try Self.checkRemoval(of: names, in: present)
        if !keepingSecrets {
            for name in names { try await forgetStoredSecrets(of: try ProfileRules.profile(name, in: present)) }
        }
        try profiles.update { all throws(VTError) in
            try Self.checkRemoval(of: names, in: all)
            for name in names { all[name] = nil }
        }
    }

    /// Renames a profile, and updates the profiles that use it as a jump host; its secrets are unaffected.
    ///
    /// - Throws: `not-found`, or `exists` when the new name is in use.
    package func rename(_ name: String, to newName: ProfileName) throws(VTError) {
        try profiles.update { all throws(VTError) in
            var profile = try ProfileRules.profile(name, in: all)
            guard newName.text != name else { return }
            guard all[newName.text] == nil else { throw Self.taken(newName.text) }
            profile.name = newName.text
            all[name] = nil
            all[newName.text] = profile
            for (other, var dependent) in all where dependent.jump == name {
                dependent.jump = newName.text
                all[other] = dependent
            }
        }
    }

    // MARK: - Rules

    private func check(
        _ profile: Profile,
        after edit: ProfileEdit,
        isNew: Bool,
        in all: [String: Profile]
    ) throws(VTError) {
        if isNew, all[profile.name] != nil { throw Self.taken(profile.name) }
        var all = all
        all[profile.name] = profile
        try ProfileRules.checkTransport(of: profile, after: edit, in: all)
        try ProfileRules.checkJump(of: profile, in: all)
    }

    private static func taken(_ name: String) -> VTError {
        VTError(
            .exists,
            "profile '\(name)' already exists",
            hint: "choose another name; to see the profile, use 'vt profile show \(name)'"
        )
    }

    private static func checkRemoval(of names: [String], in all: [String: Profile]) throws(VTError) {
        for name in names { _ = try ProfileRules.profile(name, in: all) }
        guard let dependent = ProfileRules.dependents(of: Set(names), in: all).first else { return }
        throw VTError(
            .usage,
            "cannot remove '\(dependent.jump ?? "")': profile '\(dependent.name)' uses it as a jump host",
            hint: "to connect without a jump host, use 'vt profile edit \(dependent.name) --unset jump'"
        )
    }
}
