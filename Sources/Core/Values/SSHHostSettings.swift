/// The settings of an OpenSSH client configuration for one host, as far as a profile can express them.
///
/// A nil or empty value means that the configuration does not set it.
package struct SSHHostSettings: Hashable, Sendable {
    /// The name as typed by the user.
    package var alias: String
    /// The name or address to connect to.
    package var hostName: String
    package var user: String?
    package var port: UInt16?
    /// A leading `~/` is kept; tokens and variables are expanded.
    package var identities: [String] = []
    /// Whether keys from the agent are offered.
    package var agent: Bool?
    /// The jump hosts, in connection order.
    package var hops: [Destination] = []
    /// The command, with the tokens of ssh_config(5) not expanded yet.
    package var proxyCommand: String?
    package var hostKeyPolicy: HostKeyPolicy?
    package var knownHosts: String?
    package var connectTimeout: Duration?
    /// Zero disables keep-alives.
    package var keepAliveInterval: Duration?
    package var keepAliveCount: Int?
    package var environment: [String: String] = [:]
    /// Directives that are set but not imported: their keywords, some with the value or a reason.
    package var leftOut: [String] = []

    package init(alias: String, hostName: String) {
        self.alias = alias
        self.hostName = hostName
    }
}
