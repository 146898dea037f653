import Core
import Runtime
import Storage
import System

/// Resolves targets to connection plans.
package struct PlanResolver: Sendable {
    /// Read once, so that all targets of a command come from the same state of the store.
    private let profiles: OnFirstUse<[String: Profile]>
    let secrets: SecretSourceReader
    let environment: Environment
    let account: Account?
    private let configuration: (any SSHConfiguration)?

    /// The maximum number of jump hosts in a chain; a longer chain is considered a mistake.
    private static let jumpLimit = 8

    /// `account` is the user running vt; nil if the passwd database has no entry.
    ///
    /// `configuration` is the OpenSSH configuration, which applies to servers without a profile; nil means that none is
    /// used. The profiles are read once, when the first target needs them.
    package init(
        profiles: any ProfileStore,
        secrets: SecretSourceReader,
        environment: Environment,
        account: Account?,
        configuration: (any SSHConfiguration)? = nil
    ) {
        self.profiles = OnFirstUse { () throws(VTError) in try profiles.load() }
        self.secrets = secrets
        self.environment = environment
        self.account = account
        self.configuration = configuration
    }

    /// Returns the plan for a target, and the target's profile if there is one; nil for this machine.
    ///
    /// A name without a profile can be a host (see `host(named:)`), unless `isStrict`. `USER@PROFILE` without a port
    /// selects the profile, but logs in as `USER`.
    ///
    /// - Throws: `not-found` for an unknown profile; `config` for invalid jump hosts or if the user name cannot be
    ///   determined; `config` and `usage` for an invalid proxy command; `usage` for options that replace a setting of
    ///   the target although they must not; errors from the profile store.
    package func resolve(
        _ target: Target,
        options: HostSettings,
        isStrict: Bool = false
    ) throws(VTError) -> (profile: Profile?, plan: ConnectionPlan)? {
        switch target {
        case .local:
            return nil
        case .adHoc(let destination):
            let all = destination.user == nil || destination.port != nil ? [:] : try profiles.value()
            guard let user = destination.user, let profile = all[destination.host] else {
                return (nil, .ssh(try plan(for: destination, options: options)))
            }
            if options.keepsSettings, options.user ?? user != user { throw Self.replaced("user", of: target) }
            var (own, options) = (profile, options)
            own.user = options.user ?? user
            options.user = own.user
            let plan = try plan(for: own, among: all, options: options)
            return (profile, plan.mapSSH { $0.name = "\($0.user)@\(profile.name)" })
        case .profile(let name):
            let all = try profiles.value()
            if let profile = all[name] { return (profile, try plan(for: profile, among: all, options: options)) }
            guard !isStrict, let host = try host(named: name, options, among: all) else {
                throw missing(name, among: all)
            }
            return (nil, .ssh(try plan(for: host, options: options)))
        }
    }

    /// How to reach a host, according to its profile, the OpenSSH configuration, or the defaults.
    package struct ResolvedHost: Sendable {
        package var plan: ConnectionPlan
        package var profile: Profile?
        /// The given options, completed by those of the profile or the configuration.
        package var options: HostSettings
        package var tokens: HostTokens
    }

    /// Resolves a host as ssh(1) would, except that a profile with this name takes precedence.
    ///
    /// - Throws: The same errors as the `resolve` for targets, except that a host without a profile is not an error;
    ///   `data.invalid` for a malformed value in the OpenSSH configuration.
    package func resolve(host: String, options given: HostSettings) throws(VTError) -> ResolvedHost {
        let all = try profiles.value()
        let profile = all[host]
        let (options, plan): (HostSettings, ConnectionPlan)
        if let profile {
            options = given.completed(by: profile)
            plan = try self.plan(for: profile, among: all, options: given)
        } else {
            options = try completed(given, for: host)
            plan = .ssh(try self.plan(for: host, settings: options))
        }
        let tokens = tokens(
            options,
            to: plan.ssh?.endpoint ?? Endpoint(host: host),
            user: plan.ssh?.user ?? "",
            name: host
        )
        return ResolvedHost(plan: plan, profile: profile, options: options, tokens: tokens)
    }

    /// The plan for a profile; `chain` contains the profiles that use it as a jump host, directly or indirectly.
    ///
    /// - Throws: In addition, `usage` for options that apply only to SSH, if the profile has another transport.
    package func plan(
        for profile: Profile,
        among all: [String: Profile],
        options: HostSettings = HostSettings(),
        chain: [String] = []
    ) throws(VTError) -> ConnectionPlan {
        let first = chain.first ?? profile.name
        guard !chain.contains(profile.name) else {
            throw VTError(
                .config,
                "the jump hosts of '\(first)' form a loop: \((chain + [profile.name]).joined(separator: " -> "))",
                hint: "to connect without a jump host, use 'vt profile edit \(profile.name) --unset jump'"
            )
        }
        guard chain.count <= Self.jumpLimit else {
            throw VTError(
                .config,
                "'\(first)' has more than \(Self.jumpLimit) jump hosts",
                hint: "see 'vt profile show \(first)'"
            )
        }
        if profile.transport != .ssh, let property = options.sshProperty {
            throw ProfileRules.isInapplicable(property, to: profile)
        }
        if options.keepsSettings, let setting = options.replacedSetting(of: profile) {
            throw Self.replaced(setting, of: .profile(profile.name))
        }
        switch profile.transport {
        case .ssh: return .ssh(try sshPlan(for: profile, among: all, options: options, chain: chain))
        case .program(let command):
            let timeout = options.completed(by: profile).limits.connectTimeout
            return .program(ProgramPlan(name: profile.name, command: command, connectTimeout: timeout))
        case .link(let address): return .link(plan(for: profile, linkedTo: address, options: options))
        case .vibeTunnel(let address): return .vibeTunnel(try plan(for: profile, at: address, options: options))
        }
    }

    /// The plan for a profile with SSH; `chain` is as in `plan`.
    private func sshPlan(
        for profile: Profile,
        among all: [String: Profile],
        options: HostSettings,
        chain: [String]
    ) throws(VTError) -> SSHPlan {
        let settings = options.completed(by: profile)
        let endpoint = Endpoint(host: settings.hostName ?? profile.host, port: settings.port ?? profile.port)
        let tokens = tokens(settings, to: endpoint, user: try user(settings.user), name: profile.name)
        var route = try self.route(settings, tokens)
        if case nil = route { route = try self.route(of: profile, tokens, among: all, chain: chain) }
        return try sshPlan(tokens, route: route, profile, settings)
    }

    /// The plan for a server.
    private func sshPlan(
        _ tokens: HostTokens,
        route: SSHPlan.Route?,
        _ profile: Profile?,
        _ settings: HostSettings
    ) throws(VTError) -> SSHPlan {
        var plan = SSHPlan(
            name: tokens.name,
            endpoint: tokens.endpoint,
            user: tokens.user,
            route: route ?? .direct,
            credentials: try credentials(of: profile, settings, tokens),
            hostKeyPolicy: settings.hostKeyPolicy ?? .acceptNew,
            hostKeyLookup: try lookup(settings, tokens),
            allowedAlgorithms: settings.allowedAlgorithms ?? [],
            limits: settings.limits
        )
        plan.profileName = profile?.name
        plan.addressFamily = settings.addressFamily
        plan.algorithms = settings.algorithms
        plan.bindAddress = settings.bindAddress
        plan.bindInterface = settings.bindInterface
        plan.sharing = try sharing(of: profile, settings)
        return plan
    }

    /// The plan for requesting the host keys of a profile's server, or of a server without a profile.
    ///
    /// Authentication is needed only for jump hosts; `jump` names the profile of one that replaces the profile's own.
    package func probe(
        _ endpoint: Endpoint,
        of profile: String?,
        through jump: String?,
        connectTimeout: Duration?
    ) throws(VTError) -> SSHPlan {
        let all = profile == nil && jump == nil ? [:] : try profiles.value()
        let own = try profile.map { name throws(VTError) in try ProfileRules.profile(name, in: all) }
        var options = HostSettings()
        // Only the host key is requested, so an account without a passwd entry needs no name.
        options.user = own?.user ?? account?.name ?? "nobody"
        options.connectTimeout = connectTimeout
        if let jump {
            _ = try ProfileRules.profile(jump, in: all)
            options.route = .jump([.profile(jump)])
        }
        guard let own else {
            return try plan(for: Destination(host: endpoint.host, port: endpoint.port), options: options)
        }
        return try sshPlan(for: own, among: all, options: options, chain: [])
    }

    // MARK: - Parts

    private func plan(for destination: Destination, options given: HostSettings) throws(VTError) -> SSHPlan {
        var options = given
        options.user = given.user ?? destination.user
        options.port = given.port ?? destination.port
        if given.keepsSettings {
            let target = Target.adHoc(destination)
            if let user = destination.user, user != options.user { throw Self.replaced("user", of: target) }
            if let port = destination.port, port != options.port { throw Self.replaced("port", of: target) }
        }
        return try plan(for: destination.host, settings: try completed(options, for: destination.host))
    }

    /// Completes options by those of the OpenSSH configuration.
    private func completed(_ given: HostSettings, for host: String) throws(VTError) -> HostSettings {
        guard let configured = try configuration?.settings(for: host, given: given.given) else { return given }
        if let reason = configured.refusal { throw HostSettings.refused(reason) }
        var options = given
        // The configuration's name is the given one with its tokens expanded.
        options.hostName = nil
        return options.completed(by: configured)
    }

    /// The plan for a server without a profile; `name` is the host as typed.
    private func plan(for name: String, settings: HostSettings) throws(VTError) -> SSHPlan {
        let host = settings.hostName ?? name
        // As in ssh; the zone of an address (RFC 4007 §11) is the name of an interface.
        let endpoint = Endpoint(
            host: NumericAddress.canonical(host) ?? (host.contains("%") ? host : host.lowercased()),
            port: settings.port ?? Endpoint.standardPort
        )
        let tokens = tokens(settings, to: endpoint, user: try user(settings.user), name: name)
        return try sshPlan(tokens, route: try route(settings, tokens), nil, settings)
    }

    /// The route specified in the options; nil if there is none.
    private func route(_ options: HostSettings, _ tokens: HostTokens) throws(VTError) -> SSHPlan.Route? {
        switch options.route {
        case nil: return nil
        case .direct: return .direct
        case .proxyCommand(let command):
            guard options.passesDescriptor != true else {
                throw VTError(
                    .config,
                    "cannot use the proxy command of '\(tokens.name)': vt does not support ProxyUseFdpass",
                    hint: "run OpenSSH's ssh, or use a command that copies data, without ProxyUseFdpass"
                )
            }
            return .proxyCommand(try tokens.expand(proxyCommand: command))
        case .jump(let targets):
            var route: SSHPlan.Route?
            for target in targets {
                guard let hop = try hop(target) else { throw VTError(.usage, "this machine cannot be a jump host") }
                var plan = try Self.jumpHost(hop, code: .usage)
                if let route { plan.route = route }
                route = .jump(plan)
            }
            return route
        }
    }

    /// The plan for a jump host: a profile, or a server if no profile has that name; nil for this machine.
    private func hop(_ target: Target) throws(VTError) -> ConnectionPlan? {
        let all = try profiles.value()
        // A configuration can route all hosts through a jump host; that route must not apply to the jump host itself.
        var options = HostSettings()
        options.route = configuration == nil ? nil : .direct
        options.requiresIdentities = configuration == nil
        switch target {
        case .profile(let name) where all[name] == nil:
            return .ssh(try plan(for: try Destination(parsing: name), options: options))
        case .adHoc(let destination) where all[destination.host] == nil:
            return .ssh(try plan(for: destination, options: options))
        case .local, .profile, .adHoc:
            return try resolve(target, options: HostSettings())?.plan
        }
    }

    private func route(
        of profile: Profile,
        _ tokens: HostTokens,
        among all: [String: Profile],
        chain: [String]
    ) throws(VTError) -> SSHPlan.Route {
        if let command = profile.proxyCommand { return .proxyCommand(try tokens.expand(proxyCommand: command)) }
        guard let jump = profile.jump else { return .direct }
        guard let hop = all[jump] else {
            throw VTError(
                .config,
                "jump host '\(jump)' of profile '\(profile.name)' is not a profile",
                hint: "to connect without a jump host, use 'vt profile edit \(profile.name) --unset jump'"
            )
        }
        return .jump(try Self.jumpHost(plan(for: hop, among: all, chain: chain + [profile.name]), code: .config))
    }

    /// - Throws: `code` if the plan does not use SSH.
    private static func jumpHost(_ plan: ConnectionPlan, code: VTError.Code) throws(VTError) -> SSHPlan {
        guard case .ssh(let hop) = plan else {
            throw ProfileRules.cannotJump(through: plan.name, plan.transport, code: code)
        }
        return hop
    }

    /// How the connection to a server is shared; nil if it is not.
    ///
    /// A connection authenticated with secrets given on the command line is never shared, because other commands might
    /// be given different secrets.
    private func sharing(of profile: Profile?, _ options: HostSettings) throws(VTError) -> ConnectionSharing? {
        guard options.password == nil, options.passphrase == nil else { return nil }
        // The command decides for each connection which key is known.
        guard options.knownHostsCommand == nil else { return nil }
        let requested = try variableShareTimeout()
        let timeout = options.shareTimeout ?? requested ?? profile?.share ?? ConnectionSharing.standardTimeout
        return timeout > .zero ? ConnectionSharing(idleTimeout: timeout) : nil
    }

    private func variableShareTimeout() throws(VTError) -> Duration? {
        guard let text = environment[ConnectionSharing.variable] else { return nil }
        do throws(VTError) {
            return try ConnectionSharing.timeout(parsing: text)
        } catch {
            throw VTError(
                .usage,
                "invalid value '\(text)' for \(ConnectionSharing.variable)",
                hint: "use a duration such as 5m, or 'off'"
            )
        }
    }

    private func user(_ name: String?) throws(VTError) -> String {
        guard let name = name ?? account?.name ?? environment["USER"] else {
            throw VTError(.config, "cannot determine the user name", hint: "specify it as USER@HOST")
        }
        return name
    }

    /// The absolute path, with a leading `~/` replaced by the home directory; the process that keeps a shared
    /// connection has a different working directory.
    func absolute(_ path: String) -> String {
        guard path.hasPrefix("~/"), let home = environment["HOME"] ?? account?.home else {
            return WorkingDirectory.absolute(path)
        }
        return home + path.dropFirst(1)
    }

    /// The profile's private key files that do not exist; connecting then fails.
    package func missingIdentities(of profile: Profile) -> [String] {
        profile.identities.filter(isMissing)
    }

    /// Any other failure to open a file is reported when it is needed.
    func isMissing(_ path: String) -> Bool {
        do throws(VTError) {
            return try OpenFile(reading: absolute(path)) == nil
        } catch {
            return false
        }
    }
}
