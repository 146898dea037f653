/// A saved server: how to reach it, how to authenticate, and defaults for its commands.
///
/// A profile contains no secrets.
package struct Profile: Hashable, Sendable {
    /// Identifies the profile's secrets; random, and unchanged when the profile is renamed.
    package var id: String = ""
    package var name: String = ""
    /// A name, an IPv4 address or an IPv6 address without brackets; empty if `via`, `link` or `vibeTunnel` is set.
    package var host: String = ""
    /// 1–65535.
    package var port: UInt16 = Endpoint.standardPort
    /// Nil means the local user's name.
    package var user: String?
    /// Paths of private keys, tried in this order; `~/` is the home directory.
    package var identities: [String] = []
    /// Whether keys from the SSH agent are tried.
    package var agent: Bool = true
    package var password = SecretSource.none
    /// The source of the passphrase for encrypted identities.
    package var passphrase = SecretSource.none
    /// Where `stored` secrets are kept.
    package var secretStore: SecretStoreKind?
    /// The name of the profile to use as a jump host.
    package var jump: String?
    /// A shell command whose standard input and output carry the connection.
    package var proxyCommand: String?
    /// A program that runs commands over its standard streams, instead of SSH; the SSH properties then have their
    /// default values.
    package var via: ViaCommand?
    /// The page of a link to sessions, used instead of SSH; the token is the password.
    package var link: HTTPAddress?
    /// The URL of a VibeTunnel server, whose sessions are used instead of those of vt.
    package var vibeTunnel: HTTPAddress?
    /// A PEM file with the authorities that certify the server with one of these URLs; nil for those of the system.
    package var authorities: String?
    package var hostKeyPolicy = HostKeyPolicy.acceptNew
    /// An additional known_hosts file to read.
    package var knownHosts: String?
    /// Weak algorithms that may be offered to this server.
    package var allowedAlgorithms: [String] = []
    /// Nil means the default of `ConnectionLimits`.
    package var connectTimeout: Duration?
    /// Nil means the default of `ConnectionLimits`; zero disables keep-alives.
    package var keepAlive: Duration?
    /// How many keep-alives may go unanswered; nil means the default of `ConnectionLimits`.
    package var keepAliveCount: Int?
    /// How long an unused connection is kept open for other commands; nil means the default of `ConnectionSharing`, and
    /// zero disables sharing.
    package var share: Duration?
    /// The working directory for commands.
    package var cwd: String?
    package var environment: [String: String] = [:]
    /// The program to use instead of the login shell to interpret shell lines.
    package var shell: String?
    package var tags: [String] = []
    package var note: String?
    package var createdAt = Timestamp(seconds: 0)
    package var lastConnectedAt: Timestamp?

    package init() {}

    package init(id: String, name: ProfileName, host: String, createdAt: Timestamp) {
        self.id = id
        self.name = name.text
        self.host = host
        self.createdAt = createdAt
    }

    package var endpoint: Endpoint {
        Endpoint(host: host, port: port)
    }

    package var transport: ConnectionPlan.Transport {
        via.map { .program($0) } ?? link.map { .link($0) } ?? vibeTunnel.map { .vibeTunnel($0) } ?? .ssh
    }

    /// What the transport leads to: a host, the program, or the URL.
    package var address: String {
        switch transport {
        case .ssh: host
        case .program(let command): command.text
        case .link(let address), .vibeTunnel(let address): address.description
        }
    }
}
