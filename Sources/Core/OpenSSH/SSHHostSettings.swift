/// The settings of an OpenSSH client configuration for one host, as far as a profile can express them.
///
/// A nil or empty value means that the configuration does not set the option.
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
    /// Whether only those keys of the agent are offered that are also identities.
    package var isLimitedToIdentities: Bool?
    /// The agent's socket, or a variable with its path, such as `$SSH_AUTH_SOCK`; nil if it is not set.
    package var agentSocket: String?
    /// The jump hosts, in connection order.
    package var hops: [Destination] = []
    /// The command, with the tokens of ssh_config(5) not yet expanded.
    package var proxyCommand: String?
    package var hostKeyPolicy: HostKeyPolicy?
    /// The first UserKnownHostsFile entry that OpenSSH does not read by default, with tokens and variables expanded.
    package var knownHosts: String?
    /// All UserKnownHostsFile entries, with tokens and variables not yet expanded; nil if it is not set.
    package var userKnownHosts: [String]?
    /// The GlobalKnownHostsFile entries; nil if it is not set.
    package var globalKnownHosts: [String]?
    package var hostKeyAlias: String?
    /// Whether the names of new host keys are hashed.
    package var hashesKnownHosts: Bool?
    package var addressFamily: AddressFamily?
    package var connectTimeout: Duration?
    /// Zero disables keep-alives.
    package var keepAliveInterval: Duration?
    package var keepAliveCount: Int?
    package var environment: [String: String] = [:]
    /// Notes on the `Match` lines that could not be evaluated, with file and line.
    package var notes: [String] = []
    /// The notes about settings that are essential for connecting correctly, such as HostName; `notes` contains them,
    /// too.
    package var warnings: [String] = []
    /// All options that apply to the host, in the order in which they apply.
    package var options: [SSHSetting] = []
    /// The keywords of directives that are set but not imported, some with the value or a reason.
    package var leftOut: [String] = []

    package init(alias: String, hostName: String) {
        self.alias = alias
        self.hostName = hostName
    }
}
