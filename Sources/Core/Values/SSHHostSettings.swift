/// What an OpenSSH client configuration says about one host, as far as a profile can say it too.
///
/// Nil and empty mean that the configuration says nothing.
package struct SSHHostSettings: Hashable, Sendable {
    /// The name as it is typed.
    package var alias: String
    /// The name or address to connect to.
    package var hostName: String
    package var user: String?
    package var port: UInt16?
    /// A leading `~/` stays; tokens and variables are replaced.
    package var identities: [String] = []
    /// Whether keys of the agent are offered.
    package var agent: Bool?
    /// Servers to go through, the first one first.
    package var hops: [Destination] = []
    /// With the tokens of ssh_config(5).
    package var proxyCommand: String?
    package var hostKeyPolicy: HostKeyPolicy?
    package var knownHosts: String?
    package var connectTimeout: Duration?
    /// Zero: none are sent.
    package var keepAliveInterval: Duration?
    package var keepAliveCount: Int?
    package var environment: [String: String] = [:]
    /// What is set and not carried over: keywords, some with the value or a reason.
    package var leftOut: [String] = []

    package init(alias: String, hostName: String) {
        self.alias = alias
        self.hostName = hostName
    }
}
