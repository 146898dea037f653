/// Everything needed to connect to one server over SSH, resolved from a profile or the command line.
package struct SSHPlan: Sendable {
    /// How bytes reach the server.
    package indirect enum Route: Sendable {
        case direct
        /// Through a channel on a connection to another server.
        case jump(SSHPlan)
        /// Through the standard input and output of a command, which the shell of the variable SHELL interprets.
        case proxyCommand(String)
    }

    /// The server's name in messages: the profile's name, or the text typed by the user.
    package var name: String
    /// The name of the server's profile; nil if it has none.
    package var profileName: String?
    package var endpoint: Endpoint
    package var user: String
    package var route: Route
    package var credentials: Credentials
    package var hostKeyPolicy: HostKeyPolicy
    package var hostKeyLookup: HostKeyLookup
    /// Weak algorithms that may be offered.
    package var allowedAlgorithms: [String]
    package var limits: ConnectionLimits
    /// The algorithms selected with options such as Ciphers, as written (ssh_config(5)).
    package var algorithms: [AlgorithmKind: String] = [:]
    /// The address of this machine to connect from.
    package var bindAddress: String?
    /// The interface whose address to connect from, unless `bindAddress` is set.
    package var bindInterface: String?
    /// Nil means any.
    package var addressFamily: AddressFamily?
    /// Asks the user for missing credentials; nil if the command asks nothing.
    package var prompter: Prompter?
    /// How the connection is shared with other commands; nil means that the command uses a separate connection.
    package var sharing: ConnectionSharing?
    /// Whether the connection gets a thread of its own, so that several connections encrypt and decrypt in parallel; it is
    /// then not shared.
    package var usesOwnThread = false

    package init(
        name: String,
        endpoint: Endpoint,
        user: String,
        route: Route,
        credentials: Credentials,
        hostKeyPolicy: HostKeyPolicy,
        hostKeyLookup: HostKeyLookup = HostKeyLookup(),
        allowedAlgorithms: [String],
        limits: ConnectionLimits
    ) {
        self.name = name
        self.endpoint = endpoint
        self.user = user
        self.route = route
        self.credentials = credentials
        self.hostKeyPolicy = hostKeyPolicy
        self.hostKeyLookup = hostKeyLookup
        self.allowedAlgorithms = allowedAlgorithms
        self.limits = limits
    }

    /// `USER@HOST:PORT`.
    package var destination: String { "\(user)@\(endpoint)" }

    /// The jump hosts, in connection order.
    package var hops: [SSHPlan] {
        guard case .jump(let hop) = route else { return [] }
        return hop.hops + [hop]
    }
}
