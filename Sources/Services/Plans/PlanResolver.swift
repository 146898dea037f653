import CommandLine
import Core

/// Turns targets into plans for connections.
package struct PlanResolver: Sendable {
    private let profiles: ProfileSnapshot
    private let secrets: any SecretReading
    private let environment: Environment
    private let account: Account?

    /// The keys that are tried when nothing names one, as ssh(1) does; those that do not exist are passed over.
    private static let usualIdentities = ["~/.ssh/id_ed25519", "~/.ssh/id_ecdsa", "~/.ssh/id_rsa"]

    /// Longer chains of jump hosts are taken for a mistake.
    private static let jumpLimit = 8

    /// `account` is who runs vt; nil where the passwd database does not know.
    ///
    /// The profiles are read once, when the first target needs them.
    package init(
        profiles: any ProfileStore,
        secrets: any SecretReading,
        environment: Environment,
        account: Account?
    ) {
        self.profiles = ProfileSnapshot(of: profiles)
        self.secrets = secrets
        self.environment = environment
        self.account = account
    }

    /// The target's profile, where it is one, and how to connect to it; nil for this machine.
    ///
    /// A bare name that is no profile is an error, unless the options name a user: rsync(1) writes `-l USER HOST` for
    /// `USER@HOST`.
    ///
    /// - Throws: `not-found`, `config` for jumps that lead nowhere, and what the profile store throws.
    package func resolve(
        _ target: Target,
        options: PlanOptions
    ) throws(VTError) -> (profile: Profile?, plan: ConnectionPlan)? {
        switch target {
        case .local:
            return nil
        case .adHoc(let destination):
            return (nil, try plan(for: destination, options: options))
        case .profile(let name):
            let all = try profiles.load()
            if let profile = all[name] { return (profile, try plan(for: profile, among: all, options: options)) }
            guard options.user == nil else {
                return (nil, try plan(for: try Destination(parsing: name), options: options))
            }
            throw missing(name, among: all)
        }
    }

    /// The plan for a profile; `chain` are the names of the profiles that lead to it as their jump.
    package func plan(
        for profile: Profile,
        among all: [String: Profile],
        options: PlanOptions = PlanOptions(),
        chain: [String] = []
    ) throws(VTError) -> ConnectionPlan {
        guard !chain.contains(profile.name), chain.count < Self.jumpLimit else {
            throw VTError(
                .config,
                "the jumps of '\(chain.first ?? profile.name)' go round in a circle",
                hint: "see 'vt profile show \(profile.name)'"
            )
        }
        let endpoint = Endpoint(host: profile.host, port: options.port ?? profile.port)
        let user = try user(options.user ?? profile.user)
        return ConnectionPlan(
            name: profile.name,
            endpoint: endpoint,
            user: user,
            route: try route(of: profile, to: endpoint, user: user, among: all, chain: chain),
            credentials: credentials(
                of: profile,
                identities: options.identities.isEmpty ? profile.identities : options.identities,
                password: options.password ?? profile.password,
                passphrase: options.passphrase ?? profile.passphrase
            ),
            hostKeyPolicy: profile.hostKeyPolicy,
            knownHosts: profile.knownHosts.map(absolute),
            allowedAlgorithms: profile.allowedAlgorithms,
            limits: limits(of: profile, options: options)
        )
    }

    /// The plan for asking a server for its host keys; nobody logs in there, only to `jump` on the way.
    package func probe(
        _ endpoint: Endpoint,
        through jump: String?,
        connectTimeout: Duration?
    ) throws(VTError) -> ConnectionPlan {
        var options = PlanOptions()
        options.user = account?.name ?? "nobody"
        options.connectTimeout = connectTimeout
        var plan = try plan(for: Destination(host: endpoint.host, port: endpoint.port), options: options)
        if let jump {
            let all = try profiles.load()
            plan.route = .jump(try self.plan(for: try ProfileRules.profile(jump, in: all), among: all))
        }
        return plan
    }

    // MARK: - Parts

    private func plan(for destination: Destination, options: PlanOptions) throws(VTError) -> ConnectionPlan {
        var limits = ConnectionLimits.standard
        if let timeout = options.connectTimeout { limits.connectTimeout = timeout }
        let port = options.port ?? destination.port ?? Endpoint.standardPort
        return ConnectionPlan(
            name: destination.host,
            endpoint: Endpoint(host: destination.host, port: port),
            user: try user(options.user ?? destination.user),
            route: .direct,
            credentials: credentials(
                of: nil,
                identities: options.identities,
                password: options.password ?? .none,
                passphrase: options.passphrase ?? .none
            ),
            hostKeyPolicy: .acceptNew,
            knownHosts: nil,
            allowedAlgorithms: [],
            limits: limits
        )
    }

    private func route(
        of profile: Profile,
        to endpoint: Endpoint,
        user: String,
        among all: [String: Profile],
        chain: [String]
    ) throws(VTError) -> ConnectionPlan.Route {
        if let command = profile.proxyCommand {
            let values = ProxyTokens(host: endpoint.host, port: endpoint.port, user: user, name: profile.name)
            return .proxyCommand(try values.expand(command))
        }
        guard let jump = profile.jump else { return .direct }
        guard let hop = all[jump] else {
            throw VTError(
                .config,
                "the jump of '\(profile.name)' is no profile: '\(jump)'",
                hint: "vt profile edit \(profile.name) --unset jump"
            )
        }
        return .jump(try plan(for: hop, among: all, chain: chain + [profile.name]))
    }

    private func credentials(
        of profile: Profile?,
        identities: [String],
        password: SecretSource,
        passphrase: SecretSource
    ) -> Credentials {
        let paths = identities.isEmpty ? Self.usualIdentities : identities
        let secrets = secrets
        return Credentials(
            agentSocket: profile?.agent == false ? nil : environment["SSH_AUTH_SOCK"],
            identities: paths.map { .init(path: absolute($0), isRequired: !identities.isEmpty) },
            passphrase: { () async throws(VTError) in
                try await secrets.secret(.passphrase, from: passphrase, of: profile)
            },
            password: { () async throws(VTError) in
                try await secrets.secret(.password, from: password, of: profile)
            }
        )
    }

    private func limits(of profile: Profile, options: PlanOptions) -> ConnectionLimits {
        let standard = ConnectionLimits.standard
        return ConnectionLimits(
            connectTimeout: options.connectTimeout
                ?? profile.connectTimeoutMilliseconds.map { .milliseconds($0) } ?? standard.connectTimeout,
            keepAliveInterval: profile.keepAliveMilliseconds.map { .milliseconds($0) } ?? standard.keepAliveInterval,
            keepAliveCount: profile.keepAliveCount ?? standard.keepAliveCount
        )
    }

    private func user(_ name: String?) throws(VTError) -> String {
        guard let name = name ?? account?.name ?? environment["USER"] else {
            throw VTError(.config, "no user name is known", hint: "give one: USER@HOST, or --user USER")
        }
        return name
    }

    /// The path with `~/` replaced by the home directory.
    private func absolute(_ path: String) -> String {
        guard path.hasPrefix("~/"), let home = environment["HOME"] ?? account?.home else { return path }
        return home + path.dropFirst(1)
    }

    private func missing(_ name: String, among all: [String: Profile]) -> VTError {
        var error = ProfileRules.missing(name, in: all)
        if Suggestion.nearest(to: name, among: Array(all.keys)) == nil {
            error.hint = "see 'vt profile list', or name a server that is not saved as USER@HOST"
        }
        return error
    }
}
