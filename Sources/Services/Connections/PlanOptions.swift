import Core

/// The connection options given on the command line, which override the profile.
package struct PlanOptions: Sendable {
    package var user: String?
    package var port: UInt16?
    /// Replaces the profile's identities unless empty.
    package var identities: [String] = []
    /// Whether `identities` contain tokens and variables of ssh_config(5), which are not yet expanded.
    package var hasIdentityTokens = false
    /// Identities to try after `identities`, without tokens and variables.
    package var laterIdentities: [String] = []
    /// The certificates of keys, with their tokens and variables not yet expanded.
    package var certificates: [String] = []
    /// Whether only those keys of the agent are used that are also identities.
    package var isLimitedToIdentities: Bool?
    /// Whether a missing file in `identities` is an error.
    package var requiresIdentities = true
    package var password: SecretSource?
    package var passphrase: SecretSource?
    package var connectTimeout: Duration?
    /// Replaces the target's host name.
    package var hostName: String?
    package var addressFamily: AddressFamily?
    /// The address of this machine to connect from.
    package var bindAddress: String?
    /// The interface whose address to connect from.
    package var bindInterface: String?
    /// The algorithms to use, as in ssh_config(5).
    package var algorithms: [AlgorithmKind: String] = [:]
    /// Nil keeps the profile's setting.
    package var usesAgent: Bool?
    /// The agent's socket, or a variable with its path, such as `$SSH_AUTH_SOCK`, which is the default.
    package var agentSocket: String?
    package var methods = AuthenticationMethod.standard
    /// Zero disables keep-alives.
    package var keepAliveInterval: Duration?
    package var keepAliveCount: Int?
    /// Can only make the profile's policy stricter.
    package var hostKeyPolicy: HostKeyPolicy?
    /// The files of UserKnownHostsFile, with their tokens and variables not yet expanded; they replace the usual files
    /// and the profile's file.
    package var userKnownHosts: [String]?
    /// A file to read in addition to these files, instead of the profile's file.
    package var knownHosts: String?
    /// The files of GlobalKnownHostsFile, which replace the usual files.
    package var globalKnownHosts: [String]?
    /// The name under which the host key is looked up.
    package var hostKeyAlias: String?
    /// Whether the names of new host keys are hashed.
    package var hashesKnownHosts: Bool?
    /// The file of RevokedHostKeys, with its tokens and variables not yet expanded.
    package var revokedHostKeys: String?
    /// The words of KnownHostsCommand, with their tokens and variables not yet expanded.
    package var knownHostsCommand: [String] = []
    /// Whether the key of the server's address is checked, too (CheckHostIP).
    package var checksAddress = false
    /// The minimum size of RSA keys (RequiredRSASize).
    package var minimumRSABits: Int?
    package var route: Route?
    /// Whether a proxy command passes a descriptor instead of data (ProxyUseFdpass).
    package var passesDescriptor = false
    /// How long an unused connection is kept for other commands; zero disables sharing.
    package var shareTimeout: Duration?
    /// Whether it is an error to replace a setting of the target: of its profile, or its user or port.
    package var keepsSettings = false

    /// How to reach the server.
    package enum Route: Sendable {
        case direct
        /// The command, with its tokens (ssh_config(5), TOKENS) not yet expanded.
        case proxyCommand(String)
        /// Through these servers, in order.
        case jump([Target])
    }

    package init() {}

    /// The first property in the options that applies only to SSH connections, as a noun; nil if there is none.
    package var sshProperty: String? {
        let given: [(String, Bool)] = [
            ("user", user != nil), ("port", port != nil), ("identity", !identities.isEmpty),
            ("password", password != nil), ("passphrase", passphrase != nil),
            ("host name", hostName != nil), ("address family", addressFamily != nil), ("agent", usesAgent != nil),
            ("local address", bindAddress != nil || bindInterface != nil), ("algorithms", !algorithms.isEmpty),
            ("keep-alive", keepAliveInterval != nil || keepAliveCount != nil),
            ("host key policy", hostKeyPolicy != nil),
            ("known_hosts file", userKnownHosts != nil || globalKnownHosts != nil || knownHosts != nil),
            ("known hosts command", !knownHostsCommand.isEmpty),
            ("file of revoked host keys", revokedHostKeys != nil),
            ("host key alias", hostKeyAlias != nil), ("jump host or proxy command", route != nil),
        ]
        return given.first { $0.1 }?.0
    }

    /// The first setting of a profile that the options replace, as a noun; nil if there is none.
    func replacedSetting(of profile: Profile) -> String? {
        func replaces<Value: Equatable>(_ given: Value?, _ own: Value?) -> Bool {
            given != nil && own != nil && given != own
        }
        let own: [(String, Bool)] = [
            ("host", replaces(hostName, profile.host)), ("port", replaces(port, profile.port)),
            ("user", replaces(user, profile.user)),
            ("identity", !identities.isEmpty && !profile.identities.isEmpty && identities != profile.identities),
            ("agent", replaces(usesAgent, profile.agent)),
            ("password", password != nil && profile.password != .none && password != profile.password),
            ("passphrase", passphrase != nil && profile.passphrase != .none && passphrase != profile.passphrase),
            ("known_hosts file", (knownHosts != nil || userKnownHosts != nil) && profile.knownHosts != nil),
            ("jump host or proxy command", route != nil && (profile.jump != nil || profile.proxyCommand != nil)),
            ("keep-alive", replaces(keepAliveInterval, profile.keepAlive)),
            ("keep-alive count", replaces(keepAliveCount, profile.keepAliveCount)),
        ]
        return own.first { $0.1 }?.0
    }

    /// The options with which a configuration is evaluated, with the names of ssh_config(5) in lower case.
    var given: [String: String] {
        var given: [String: String] = [:]
        given["user"] = user
        given["port"] = port.map(String.init)
        return given
    }

    /// Returns the options, with unset ones taken from an OpenSSH configuration.
    func completed(by settings: SSHHostSettings) -> PlanOptions {
        var options = self
        // The configuration's name is the given one with its tokens expanded.
        options.hostName = settings.hostName
        options.user = user ?? settings.user
        options.port = port ?? settings.port
        options.laterIdentities = settings.identities
        options.usesAgent = usesAgent ?? settings.agent
        options.isLimitedToIdentities = isLimitedToIdentities ?? settings.isLimitedToIdentities
        options.agentSocket = agentSocket ?? settings.agentSocket
        options.connectTimeout = connectTimeout ?? settings.connectTimeout
        options.keepAliveInterval = keepAliveInterval ?? settings.keepAliveInterval
        options.keepAliveCount = keepAliveCount ?? settings.keepAliveCount
        options.hostKeyPolicy = hostKeyPolicy ?? settings.hostKeyPolicy
        options.userKnownHosts = userKnownHosts ?? settings.userKnownHosts
        options.globalKnownHosts = globalKnownHosts ?? settings.globalKnownHosts
        options.hostKeyAlias = hostKeyAlias ?? settings.hostKeyAlias
        options.hashesKnownHosts = hashesKnownHosts ?? settings.hashesKnownHosts
        options.addressFamily = addressFamily ?? settings.addressFamily
        guard route == nil else { return options }
        if let command = settings.proxyCommand {
            options.route = .proxyCommand(command)
        } else if !settings.hops.isEmpty {
            options.route = .jump(settings.hops.map { Target.adHoc($0) })
        }
        return options
    }
}
