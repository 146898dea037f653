import Core

extension PlanResolver {
    /// Where the host key is looked up.
    ///
    /// - Throws: `usage` for an unknown token or an unset variable in the name of a file.
    func lookup(
        _ options: PlanOptions,
        profile: Profile?,
        tokens: HostTokens
    ) throws(VTError) -> HostKeyLookup {
        var lookup = HostKeyLookup()
        lookup.alias = options.hostKeyAlias
        lookup.hashesNames = options.hashesKnownHosts ?? false
        lookup.globalFiles = options.globalKnownHosts.map { HostTokens.files($0).map(absolute) }
        lookup.userFiles = try options.userKnownHosts.map { value throws(VTError) in
            try tokens.expand(knownHosts: value).map(absolute)
        }
        if lookup.userFiles == nil { lookup.additionalFile = profile?.knownHosts.map(absolute) }
        return lookup
    }
}
