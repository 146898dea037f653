import Core

extension ProfileService {
    /// Saves the hosts of an OpenSSH client configuration as profiles; if one cannot be saved, none is.
    ///
    /// Patterns are not hosts: their settings are merged into the hosts they match.
    ///
    /// - Throws: `exists` when a name is in use, unless profiles are replaced; `not-found` when a pattern matches
    ///   nothing or the file does not exist; `usage` for a jump host loop; errors from reading the configuration.
    package func importHosts(
        _ request: ImportRequest,
        from reader: any SSHConfigurationReader
    ) throws(VTError) -> ImportReport {
        let configuration = try reader.read(request.file, runsPrograms: false)
        let aliases = try chosen(configuration.aliases, request.hosts)
        let plan = try ImportPlan(aliases, of: configuration, tags: request.tags, createdAt: now())
        let notes = aliases.isEmpty ? ["no hosts found in '\(request.file ?? "~/.ssh/config")'"] : plan.notes
        if request.isDryRun {
            let merged = try merge(plan, into: try profiles.load(), request)
            return ImportReport(profiles: merged, notes: notes)
        }
        let merged = try profiles.update { all throws(VTError) in
            let merged = try merge(plan, into: all, request)
            for profile in merged { all[profile.name] = profile }
            return merged
        }
        return ImportReport(profiles: merged, notes: notes)
    }

    /// The names that match one of the patterns; each pattern must match at least one.
    private func chosen(_ aliases: [String], _ patterns: [String]) throws(VTError) -> [String] {
        guard !patterns.isEmpty else { return aliases }
        for pattern in patterns where !aliases.contains(where: { Wildcard.matches(pattern, $0) }) {
            let nearest = Suggestion.nearest(to: pattern, among: aliases)
            throw VTError(
                .notFound,
                "no host matches '\(pattern)'",
                hint: nearest.map { "did you mean '\($0)'?" } ?? "vt profile import --dry-run"
            )
        }
        return aliases.filter { alias in patterns.contains { Wildcard.matches($0, alias) } }
    }

    /// The profiles to write: new ones and, with `isReplacing`, replacements that keep some data of existing ones.
    private func merge(
        _ plan: ImportPlan,
        into all: [String: Profile],
        _ request: ImportRequest
    ) throws(VTError) -> [Profile] {
        // Unless profiles are replaced, a jump host that has already been saved is left unchanged.
        let imported = plan.profiles.values
            .filter { request.isReplacing || plan.chosen.contains($0.name) || all[$0.name] == nil }
            .sorted { $0.name < $1.name }
        let taken = imported.filter { all[$0.name] != nil }.map(\.name)
        guard request.isReplacing || taken.isEmpty else {
            throw VTError(
                .exists,
                "profiles already exist: \(taken.map { "'\($0)'" }.joined(separator: ", "))",
                hint: "add --replace, or select hosts with --host PATTERN"
            )
        }
        let merged = imported.map { profile in
            guard let former = all[profile.name] else { return profile }
            var profile = profile
            profile.id = former.id
            profile.createdAt = former.createdAt
            profile.lastConnectedAt = former.lastConnectedAt
            profile.password = former.password
            profile.passphrase = former.passphrase
            profile.secretStore = former.secretStore
            profile.note = former.note
            return profile
        }
        var result = all
        for profile in merged { result[profile.name] = profile }
        for profile in merged { try ProfileRules.checkJump(of: profile, in: result) }
        return merged
    }
}
