import Core
import Storage
import System

extension PlanResolver {
    /// The identities to try by default, a subset of the files that ssh(1) tries; missing files are skipped.
    package static let usualIdentities = ["~/.ssh/id_ed25519", "~/.ssh/id_ecdsa", "~/.ssh/id_rsa"]

    /// The tokens and variables in the options for a host; `name` is the host as typed.
    func tokens(_ options: PlanOptions, to endpoint: Endpoint, user: String, name: String) -> HostTokens {
        HostTokens(
            endpoint: endpoint,
            user: user,
            name: name,
            alias: options.hostKeyAlias?.lowercased(),
            account: account,
            environment: environment
        )
    }

    /// - Throws: `usage` for an unknown token or an unset variable in the name of a file.
    func credentials(
        of profile: Profile?,
        options: PlanOptions,
        tokens: HostTokens
    ) throws(VTError) -> Credentials {
        let password = options.password ?? profile?.password ?? .none
        let passphrase = options.passphrase ?? profile?.passphrase ?? .none
        let usesAgent = options.usesAgent ?? profile?.agent ?? true
        let given = try identities(options, tokens)
        let own = given.isEmpty ? profile?.identities ?? [] : given
        let secrets = secrets
        var credentials = Credentials(
            agentSocket: usesAgent ? try agentSocket(options, tokens) : nil,
            identities: (own.isEmpty ? Self.usualIdentities : own).map(absolute).withoutRepetition.map {
                .init(path: $0, isRequired: !own.isEmpty && options.requiresIdentities)
            },
            passphrase: { () async throws(VTError) in
                try await secrets.secret(.passphrase, from: passphrase, of: profile)
            },
            password: { () async throws(VTError) in
                try await secrets.secret(.password, from: password, of: profile)
            }
        )
        for path in options.certificates {
            credentials.certificates.append(absolute(try tokens.expand(path, as: "certificate file")))
        }
        credentials.isLimitedToIdentities = options.isLimitedToIdentities ?? false
        credentials.methods = options.methods
        return credentials
    }

    private func identities(_ options: PlanOptions, _ tokens: HostTokens) throws(VTError) -> [String] {
        guard options.hasIdentityTokens else { return options.identities + options.laterIdentities }
        var paths: [String] = []
        for path in options.identities { paths.append(try tokens.expand(path, as: "private key")) }
        return paths + options.laterIdentities
    }

    /// The path of the agent's socket; nil if there is none.
    private func agentSocket(_ options: PlanOptions, _ tokens: HostTokens) throws(VTError) -> String? {
        switch options.agentSocket {
        case nil: environment["SSH_AUTH_SOCK"]
        case let value? where value.hasPrefix("$") && !value.hasPrefix("${"): environment[String(value.dropFirst())]
        case let value?: absolute(try tokens.expand(value, as: "agent socket"))
        }
    }

    /// Where the host key of a profile's server is looked up.
    package func lookup(of profile: Profile) -> HostKeyLookup {
        var lookup = HostKeyLookup()
        lookup.additionalFile = profile.knownHosts.map(absolute)
        return lookup
    }

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
        lookup.revokedKeys = try options.revokedHostKeys.map { value throws(VTError) in
            absolute(try tokens.expand(value, as: "file of revoked host keys"))
        }
        lookup.command = try tokens.expand(knownHostsCommand: options.knownHostsCommand)
        lookup.checksAddress = options.checksAddress
        lookup.minimumRSABits = options.minimumRSABits
        let additionalFile = options.knownHosts ?? (lookup.userFiles == nil ? profile?.knownHosts : nil)
        lookup.additionalFile = additionalFile.map(absolute)
        return lookup
    }
}
