/// A saved server: how to reach it, how to be let in, and what its commands start with.
///
/// It holds no secret. The coding keys are the JSON of `vt profile show --json` and of the profiles file.
package struct Profile: Hashable, Sendable {
    /// Names the profile's secrets; random, kept when the profile is renamed.
    package var id: String
    package var name: String
    /// A name, an IPv4 address or an IPv6 address without brackets.
    package var host: String
    /// 1–65535.
    package var port: UInt16
    /// Nil means the local user's name.
    package var user: String?
    /// Paths of private keys, tried in this order; `~/` is the home directory.
    package var identities: [String]
    /// Whether keys of the SSH agent are tried.
    package var agent: Bool
    package var password: SecretSource
    /// For encrypted identities.
    package var passphrase: SecretSource
    /// Where `stored` secrets are.
    package var secretStore: SecretStoreKind?
    /// The name of the profile that the connection goes through.
    package var jump: String?
    /// A shell command whose standard input and output are the connection.
    package var proxyCommand: String?
    package var hostKeyPolicy: HostKeyPolicy
    /// A known_hosts file to read besides the usual ones.
    package var knownHosts: String?
    /// Weak algorithms that may be offered to this server all the same.
    package var allowedAlgorithms: [String]
    /// Nil means the default of `ConnectionLimits`.
    package var connectTimeoutMilliseconds: Int64?
    /// Nil means the default of `ConnectionLimits`, 0 none.
    package var keepAliveMilliseconds: Int64?
    /// How many keep-alives may stay unanswered; nil means the default of `ConnectionLimits`.
    package var keepAliveCount: Int?
    /// Where commands start.
    package var cwd: String?
    package var environment: [String: String]
    /// The program that reads shell lines instead of the login shell.
    package var shell: String?
    package var tags: [String]
    package var note: String?
    package var createdAt: Timestamp
    package var lastConnectedAt: Timestamp?

    package init(id: String, name: ProfileName, host: String, createdAt: Timestamp) {
        self.id = id
        self.name = name.text
        self.host = host
        self.createdAt = createdAt
        port = Endpoint.standardPort
        identities = []
        agent = true
        password = .none
        passphrase = .none
        hostKeyPolicy = .acceptNew
        allowedAlgorithms = []
        environment = [:]
        tags = []
    }

    package var endpoint: Endpoint {
        Endpoint(host: host, port: port)
    }
}

extension Profile: Codable {
    /// The order is the order of output.
    package enum CodingKeys: String, CodingKey, CaseIterable {
        case id, name, host, port, user, identities, agent, password, passphrase
        case secretStore = "secret_store"
        case jump
        case proxyCommand = "proxy_command"
        case hostKeyPolicy = "host_key_policy"
        case knownHosts = "known_hosts"
        case allowedAlgorithms = "allowed_algorithms"
        case connectTimeoutMilliseconds = "connect_timeout_ms"
        case keepAliveMilliseconds = "keep_alive_ms"
        case keepAliveCount = "keep_alive_count"
        case cwd, environment, shell, tags, note
        case createdAt = "created_at"
        case lastConnectedAt = "last_connected_at"
    }
}
