import Core

/// Converts the hosts of a client configuration to profiles.
struct ImportPlan {
    private let configuration: any SSHConfiguration
    private let tags: [String]
    private let createdAt: Timestamp

    /// The profiles of the hosts and their jump hosts, by name.
    private(set) var profiles: [String: Profile] = [:]
    private(set) var notes: [String] = []
    /// Notes about the configuration itself, without duplicates.
    private var unsupportedMatches: [String] = []
    /// Settings that are not imported, with the names of their hosts.
    private var leftOut: [String: [String]] = [:]
    /// The selected names; all other profiles are jump hosts.
    let chosen: Set<String>

    /// - Throws: Errors from reading a host's settings; `usage` for a jump host loop.
    init(
        _ aliases: [String],
        of configuration: any SSHConfiguration,
        tags: [String],
        createdAt: Timestamp
    ) throws(VTError) {
        self.configuration = configuration
        self.tags = tags
        self.createdAt = createdAt
        chosen = Set(aliases)
        for alias in aliases {
            guard let name = try? ProfileName(alias) else {
                let reason = alias == ProfileName.local ? "is reserved for this machine" : "is not a valid profile name"
                notes.append("skipped '\(alias)', which \(reason)")
                continue
            }
            let settings = try configuration.settings(for: alias, given: [:])
            if let keyword = Self.obstacle(in: settings) {
                notes.append("skipped '\(alias)', because a profile cannot have \(keyword)")
                continue
            }
            try add(name, settings, hops: nil)
        }
        notes = unsupportedMatches + notes
        for (keyword, hosts) in leftOut.sorted(by: { $0.key < $1.key }) {
            notes.append("not imported: '\(keyword)' (\(hosts.joined(separator: ", ")))")
        }
        for profile in profiles.values.sorted(by: { $0.name < $1.name }) {
            do throws(VTError) {
                try ProfileRules.checkJump(of: profile, in: profiles)
            } catch {
                var error = error
                error.hint = "exclude jump hosts from ProxyJump: Host * !\(profile.name)"
                throw error
            }
        }
    }

    /// The first option without which a profile would allow a connection that the configuration forbids.
    private static func obstacle(in settings: HostSettings) -> String? {
        settings.settings.first {
            ["revokedhostkeys", "refuseconnection"].contains($0.name) && $0.value.lowercased() != "none"
        }?.spelling
    }

    /// Adds a profile; `hops` replaces the jump hosts in the settings unless it is nil.
    private mutating func add(_ name: ProfileName, _ settings: HostSettings, hops: [Destination]?) throws(VTError) {
        guard profiles[name.text] == nil else { return }
        var profile = Profile(
            id: RandomIdentifier.make(),
            name: name,
            host: settings.hostName ?? name.text,
            createdAt: createdAt
        )
        profile.port = settings.port ?? Endpoint.standardPort
        profile.user = settings.user
        profile.identities = settings.keyFiles ?? []
        profile.agent = (settings.usesAgent ?? true) && settings.isLimitedToIdentities != true
        // Most commands ask nothing.
        profile.hostKeyPolicy = settings.hostKeyPolicy.map { $0 == .ask ? .strict : $0 } ?? .acceptNew
        profile.knownHosts = settings.knownHosts
        profile.connectTimeout = settings.connectTimeout
        profile.keepAlive = settings.keepAliveInterval
        profile.keepAliveCount = settings.keepAliveCount
        for variable in settings.environment ?? [] { profile.environment[variable.name] = variable.value }
        profile.tags = tags
        profile.proxyCommand = hops == nil ? settings.proxyCommand : nil
        // A placeholder while the profile's jump hosts are added, so that a loop terminates.
        profiles[name.text] = profile
        profile.jump = try jump(hops ?? settings.hops)
        profiles[name.text] = profile
        unsupportedMatches += settings.report.notes.filter { !unsupportedMatches.contains($0) }
        for keyword in settings.report.leftOut where leftOut[keyword]?.contains(name.text) != true {
            leftOut[keyword, default: []].append(name.text)
        }
    }

    /// Adds profiles for these hops, and returns the name of the profile for the last hop.
    ///
    /// A first hop that is a plain name refers to the host of that name, with all its settings; any other hop becomes a
    /// separate profile, named after its text, because ssh connects to it through the hops before it (ssh_config(5),
    /// ProxyJump).
    private mutating func jump(_ hops: [Destination]) throws(VTError) -> String? {
        guard let last = hops.last else { return nil }
        let before = Array(hops.dropLast())
        let isPlain = last.user == nil && last.port == nil && before.isEmpty
        let name = try isPlain ? ProfileName(hop: last) : ProfileName(hop: last, after: before)
        var given: [String: String] = [:]
        given["user"] = last.user
        given["port"] = last.port.map(String.init)
        let settings = try configuration.settings(for: last.host, given: given)
        if let keyword = Self.obstacle(in: settings) {
            throw VTError(
                .config,
                "cannot import jump host '\(last.host)': a profile cannot have \(keyword)",
                hint: "name the hosts to import, without those that use it"
            )
        }
        try add(name, settings, hops: isPlain ? nil : before.isEmpty ? nil : before)
        return name.text
    }
}

extension ProfileName {
    /// `user-host-port` without the parts that are not given, followed by the preceding hops as `-via-…`.
    fileprivate init(hop: Destination, after before: [Destination] = []) throws(VTError) {
        var text = ([hop] + before.reversed())
            .map { [$0.user, $0.host, $0.port.map { "\($0)" }].compactMap(\.self).joined(separator: "-") }
            .joined(separator: "-via-")
        text = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" })
        try self.init(text)
    }
}
