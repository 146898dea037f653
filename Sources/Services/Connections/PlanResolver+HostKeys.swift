import Core

extension PlanResolver {
    /// Where the host key is looked up.
    ///
    /// - Throws: `usage` for an unknown token or an unset variable in the name of a file.
    func lookup(
        _ options: PlanOptions,
        profile: Profile?,
        to endpoint: Endpoint,
        user: String,
        name: String
    ) throws(VTError) -> HostKeyLookup {
        var lookup = HostKeyLookup()
        lookup.alias = options.hostKeyAlias
        lookup.hashesNames = options.hashesKnownHosts ?? false
        lookup.globalFiles = options.globalKnownHosts.map { KnownHostsNames.files($0).map(absolute) }
        lookup.userFiles = try options.userKnownHosts.map { value throws(VTError) in
            let names = KnownHostsNames(
                endpoint,
                user: user,
                name: name,
                alias: options.hostKeyAlias,
                account: account,
                environment: environment
            )
            return try names.expand(value).map(absolute)
        }
        if lookup.userFiles == nil { lookup.additionalFile = profile?.knownHosts.map(absolute) }
        return lookup
    }
}
