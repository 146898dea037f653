import Core
import Storage
import System

extension PlanResolver {
    /// The identities to try by default, a subset of the files that ssh(1) tries; missing files are skipped.
    package static let usualIdentities = ["~/.ssh/id_ed25519", "~/.ssh/id_ecdsa", "~/.ssh/id_rsa"]

    /// The tokens and variables in the options for a host; `name` is the host as typed.
    func tokens(_ options: HostSettings, to endpoint: Endpoint, user: String, name: String) -> HostTokens {
        HostTokens(
            endpoint: endpoint,
            user: user,
            name: name,
            alias: options.hostKeyAlias?.lowercased(),
            account: account,
            home: environment["HOME"] ?? account?.home,
            environment: environment
        )
    }

    /// - Throws: `usage` for an unknown token or an unset variable in the name of a file.
    func credentials(
        of profile: Profile?,
        _ settings: HostSettings,
        _ tokens: HostTokens
    ) throws(VTError) -> Credentials {
        let password = settings.password ?? profile?.password ?? .none
        let passphrase = settings.passphrase ?? profile?.passphrase ?? .none
        var own: [String] = []
        for path in settings.identities ?? [] { own.append(try tokens.expand(path, as: "private key")) }
        own += settings.keyFiles ?? []
        let secrets = secrets
        var credentials = Credentials(
            agentSocket: settings.usesAgent ?? true ? try agentSocket(settings, tokens) : nil,
            identities: (own.isEmpty ? Self.usualIdentities : own).map(absolute).withoutRepetition.map {
                .init(path: $0, isRequired: !own.isEmpty && settings.requiresIdentities)
            },
            passphrase: { () async throws(VTError) in
                try await secrets.secret(.passphrase, from: passphrase, of: profile)
            },
            password: { () async throws(VTError) in
                try await secrets.secret(.password, from: password, of: profile)
            }
        )
        for path in settings.certificates ?? [] {
            credentials.certificates.append(absolute(try tokens.expand(path, as: "certificate file")))
        }
        credentials.isLimitedToIdentities = settings.isLimitedToIdentities ?? false
        credentials.methods = settings.methods
        return credentials
    }

    /// The path of the agent's socket; nil if there is none.
    private func agentSocket(_ options: HostSettings, _ tokens: HostTokens) throws(VTError) -> String? {
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
    func lookup(_ settings: HostSettings, _ tokens: HostTokens) throws(VTError) -> HostKeyLookup {
        var lookup = HostKeyLookup()
        lookup.alias = settings.hostKeyAlias
        lookup.hashesNames = settings.hashesKnownHosts ?? false
        lookup.globalFiles = settings.globalKnownHosts.map { HostTokens.files($0).map(absolute) }
        lookup.userFiles = try settings.userKnownHosts.map { value throws(VTError) in
            try tokens.expand(knownHosts: value).map(absolute)
        }
        lookup.revokedKeys = try settings.revokedHostKeys.map { value throws(VTError) in
            absolute(try tokens.expand(value, as: "file of revoked host keys"))
        }
        lookup.command = try tokens.expand(knownHostsCommand: settings.knownHostsCommand ?? [])
        lookup.checksAddress = settings.checksAddress ?? false
        lookup.minimumRSABits = settings.minimumRSABits
        lookup.additionalFile = settings.knownHosts.map(absolute)
        return lookup
    }
}
