import Core

/// The targets that a command line selects.
package struct TargetSelection: Sendable {
    /// What the selection starts from.
    package enum Scope: Sendable {
        case words([TargetWord])
        /// The profiles that have all of the tags.
        case tagged([String])
        case allProfiles
        /// This machine and all profiles.
        case allMachines
    }

    package var scope: Scope
    /// Targets to omit; a name also omits the profiles that have a tag of that name.
    package var exclusions: [TargetWord]
    package var limit: TargetLimit?

    package init(_ scope: Scope, exclusions: [TargetWord] = [], limit: TargetLimit? = nil) {
        self.scope = scope
        self.exclusions = exclusions
        self.limit = limit
    }

    /// The files that the words refer to, without duplicates; `-` is standard input.
    package var files: [String] {
        var words = exclusions
        if case .words(let own) = scope { words += own }
        var files: [String] = []
        for case .file(let path) in words where !files.contains(path) { files.append(path) }
        return files
    }

    /// Returns the targets in the order of the words, without duplicates; the profiles that a word selects are sorted.
    ///
    /// `lists` contains the words of each file in `files`. `profiles` is called only if the selection depends on
    /// profiles.
    ///
    /// - Throws: `not-found` when a pattern, a tag or a file selects nothing, an exclusion is unknown, or all targets are
    ///   excluded; errors from `profiles`.
    package func targets(
        lists: [String: [TargetWord]] = [:],
        profiles: () throws(VTError) -> [String: Profile]
    ) throws(VTError) -> [Target] {
        var targets = try selected(lists: lists, profiles: profiles)
        if !exclusions.isEmpty {
            let profiles = try profiles()
            for word in exclusions { try check(word, lists: lists, targets: targets, profiles: profiles) }
            let exclusions = exclusions.flatMap { Self.expanded($0, lists: lists) }
            targets.removeAll { target in
                exclusions.contains { Self.matches($0, target, profiles[target.machine]) }
            }
            guard !targets.isEmpty else { throw VTError(.notFound, "all targets are excluded") }
        }
        targets = targets.withoutRepetition
        return Array(targets.prefix(limit?.applied(to: targets.count) ?? targets.count))
    }

    private func selected(
        lists: [String: [TargetWord]],
        profiles: () throws(VTError) -> [String: Profile]
    ) throws(VTError) -> [Target] {
        switch scope {
        case .words(let words):
            var targets: [Target] = []
            for word in words {
                let expanded = Self.expanded(word, lists: lists)
                if expanded.isEmpty, case .file(let path) = word {
                    throw VTError(.notFound, "\(path == "-" ? "standard input" : "'\(path)'") lists no targets")
                }
                for word in expanded { targets += try Self.targets(of: word, profiles: profiles) }
            }
            return targets
        case .tagged(let tags):
            return try Self.profiles(
                in: profiles(),
                orThrow: VTError(
                    .notFound,
                    "no profile is tagged '\(tags.joined(separator: "' and '"))'",
                    hint: "see 'vt profile list'"
                )
            ) { profile in tags.allSatisfy(profile.tags.contains) }
        case .allProfiles:
            let none = VTError(
                .notFound,
                "no profiles are saved",
                hint: "to save one, use 'vt profile add NAME [USER@]HOST'"
            )
            return try Self.profiles(in: profiles(), orThrow: none) { _ in true }
        case .allMachines:
            return [.local] + (try profiles()).keys.sorted { $0.naturallyPrecedes($1) }.map { .profile($0) }
        }
    }

    /// The word itself, or the words of the file that it refers to.
    private static func expanded(_ word: TargetWord, lists: [String: [TargetWord]]) -> [TargetWord] {
        guard case .file(let path) = word else { return [word] }
        return lists[path] ?? []
    }

    private static func targets(
        of word: TargetWord,
        profiles: () throws(VTError) -> [String: Profile]
    ) throws(VTError) -> [Target] {
        switch word {
        case .target(let target): return [target]
        case .pattern(let pattern):
            let none = VTError(.notFound, "no profile matches '\(pattern)'", hint: "see 'vt profile list'")
            return try Self.profiles(in: profiles(), orThrow: none) { Wildcard.matches(pattern, $0.name) }
        case .file: return []
        }
    }

    private static func profiles(
        in all: [String: Profile],
        orThrow none: VTError,
        where isSelected: (Profile) -> Bool
    ) throws(VTError) -> [Target] {
        let names = all.values.filter(isSelected).map(\.name)
        guard !names.isEmpty else { throw none }
        return names.sorted { $0.naturallyPrecedes($1) }.map { .profile($0) }
    }

    /// Fails if an exclusion is neither a selected target nor a profile or tag: with a typing error, a command would run
    /// on the target that it should spare.
    ///
    /// A file may list servers that are not selected, because it can be meant for several selections.
    private func check(
        _ exclusion: TargetWord,
        lists: [String: [TargetWord]],
        targets: [Target],
        profiles: [String: Profile]
    ) throws(VTError) {
        for word in Self.expanded(exclusion, lists: lists) {
            if case .target(.local) = word { continue }
            if case .target(.adHoc) = word, word != exclusion { continue }
            let known = targets + profiles.keys.map { .profile($0) }
            guard known.contains(where: { Self.matches(word, $0, profiles[$0.machine]) }) else {
                throw VTError(
                    .notFound,
                    "cannot exclude '\(word.text)': no target, profile or tag matches",
                    hint: "see 'vt profile list'"
                )
            }
        }
    }

    private static func matches(_ word: TargetWord, _ target: Target, _ profile: Profile?) -> Bool {
        switch word {
        case .target(.profile(let name)): target.machine == name || profile?.tags.contains(name) ?? false
        case .target(let excluded): target == excluded
        case .pattern(let pattern): Wildcard.matches(pattern, target.machine)
        case .file: false
        }
    }
}
