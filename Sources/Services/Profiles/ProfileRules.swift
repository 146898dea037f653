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
    /// - Throws: `not-found` for a jump host that is not a profile; `usage` for a loop.
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
                    hint: "vt profile edit \(current.name) --unset jump"
                )
            }
            names.append(jump)
            current = next
        }
    }

    /// The profiles that use one of `names` as a jump host, excluding those in `names`.
    static func dependents(of names: Set<String>, in profiles: [String: Profile]) -> [Profile] {
        profiles.values
            .filter { profile in !names.contains(profile.name) && profile.jump.map(names.contains) == true }
            .sorted { $0.name < $1.name }
    }
}
