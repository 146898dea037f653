import Core

extension ProfileService {
    /// The result of an import or a dry run.
    package struct ImportReport: Sendable {
        /// The profiles that were saved or, in a dry run, would be saved, sorted by name.
        package var profiles: [Profile]
        /// Hosts and settings that were not imported, one line each.
        package var notes: [String]
    }

    /// Saves the hosts of an OpenSSH client configuration as profiles; if one cannot be saved, none is.
    ///
    /// Patterns are not hosts: their settings are merged into the hosts they match.
    ///
    /// - Throws: `exists` when a name is in use, unless profiles are replaced or skipped; `not-found` when a pattern matches
    ///   nothing or the file does not exist; `usage` for a jump host loop; errors from reading the configuration.
    package func importHosts(
        _ request: ImportRequest,
        from configuration: any SSHConfiguration
    ) throws(VTError) -> ImportReport {
        let aliases = try chosen(configuration.aliases, request.hosts)
        let plan = try ImportPlan(aliases, of: configuration, tags: request.tags, createdAt: now())
        var report =
            try request.isDryRun
            ? merge(plan, into: profiles.load(), request.existing)
            : profiles.update { all throws(VTError) in
                let report = try merge(plan, into: all, request.existing)
                for profile in report.profiles { all[profile.name] = profile }
                return report
            }
        if aliases.isEmpty { report.notes = ["no hosts found in '\(request.file ?? "~/.ssh/config")'"] }
        return report
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

    /// The profiles to write: new ones and, if profiles are replaced, replacements that keep some data of existing ones.
    private func merge(
        _ plan: ImportPlan,
        into all: [String: Profile],
        _ existing: ImportRequest.Existing
    ) throws(VTError) -> ImportReport {
        let taken = plan.chosen.filter { plan.profiles[$0] != nil && all[$0] != nil }.sorted()
        let names = taken.map { "'\($0)'" }.joined(separator: ", ")
        guard existing != .refuse || taken.isEmpty else {
            throw VTError(
                .exists,
                "profiles already exist: \(names)",
                hint: "add --skip-existing or --replace, or select hosts with --host PATTERN"
            )
        }
        // Unless profiles are replaced, a jump host that has already been saved is left unchanged, too.
        let imported = plan.profiles.values
            .filter { existing == .replace || all[$0.name] == nil }
            .sorted { $0.name < $1.name }
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
        let skips = existing == .skip && !taken.isEmpty
        let notes = skips ? ["skipped hosts whose profiles already exist: \(names)"] : []
        return ImportReport(profiles: merged, notes: notes + plan.notes)
    }
}
