import Core

/// Rules that involve more than one profile.
enum ProfileRules {
    /// Returns a profile by its exact name.
    ///
    /// - Throws: `not-found`, with the closest name as a hint if there is a similar one.
    static func profile(_ name: String, in profiles: [String: Profile]) throws(VTError) -> Profile {
        guard let profile = profiles[name] else { throw missing(name, in: profiles) }
        return profile
    }

    static func missing(_ name: String, in profiles: [String: Profile]) -> VTError {
        let nearest = Suggestion.nearest(to: name, among: profiles.keys.sorted())
        return VTError(
            .notFound,
            "no such profile: '\(name)'",
            hint: nearest.map { "did you mean '\($0)'?" } ?? "see 'vt profile list'"
        )
    }

    /// Checks that a profile's jump hosts exist and do not form a loop.
    ///
    /// - Throws: `not-found` for a jump host that is not a profile; `usage` for a loop, and for a jump host without SSH.
    static func checkJump(of profile: Profile, in profiles: [String: Profile]) throws(VTError) {
        var names = [profile.name]
        var current = profile
        while let jump = current.jump {
            guard let next = profiles[jump] else {
                var error = missing(jump, in: profiles)
                error.message = "jump host '\(jump)' of profile '\(current.name)' is not a profile"
                throw error
            }
            guard !names.contains(jump) else {
                throw VTError(
                    .usage,
                    "jump hosts form a loop: \((names + [jump]).joined(separator: " -> "))",
                    // The profile itself has not been changed yet.
                    hint: current.name == profile.name ? nil : "vt profile edit \(current.name) --unset jump"
                )
            }
            guard next.transport == .ssh else { throw cannotJump(through: jump, next.transport, code: .usage) }
            names.append(jump)
            current = next
        }
    }

    /// Checks that a profile has an address, and that an edit sets only properties that apply to its transport.
    ///
    /// - Throws: `usage`.
    static func checkTransport(
        of profile: Profile,
        after edit: ProfileEdit,
        in all: [String: Profile]
    ) throws(VTError) {
        guard !profile.address.isEmpty else {
            throw VTError(
                .usage,
                "profile '\(profile.name)' would have neither a host nor a program",
                hint: "add --host HOST"
            )
        }
        if let property = edit.inapplicableProperty(to: profile.transport) {
            throw isInapplicable(property, to: profile)
        }
        if profile.authorities != nil, let address = profile.link ?? profile.vibeTunnel, !address.isSecure {
            throw VTError(
                .usage,
                "cannot set the file of authorities of '\(profile.name)': '\(address)' is not an https URL",
                hint: "use an https URL, or 'vt profile edit \(profile.name) --unset ca'"
            )
        }
        guard profile.transport != .ssh else { return }
        guard dependents(of: [profile.name], in: all).isEmpty else {
            throw cannotJump(through: profile.name, profile.transport, code: .usage)
        }
    }

    /// The error for a property that does not apply to the transport.
    static func isInapplicable(_ property: String, to profile: Profile) -> VTError {
        VTError(
            .usage,
            "cannot set the \(property) of '\(profile.name)': it is reached \(profile.transport.phrase)"
        )
    }

    static func cannotJump(through name: String, _ transport: ConnectionPlan.Transport, code: VTError.Code) -> VTError {
        VTError(code, "'\(name)' cannot be a jump host: it is reached \(transport.phrase)")
    }

    /// The profiles that use one of `names` as a jump host, excluding those in `names`.
    static func dependents(of names: Set<String>, in profiles: [String: Profile]) -> [Profile] {
        profiles.values
            .filter { profile in !names.contains(profile.name) && profile.jump.map(names.contains) == true }
            .sorted { $0.name < $1.name }
    }
}
