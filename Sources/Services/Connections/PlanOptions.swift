import Core

/// The connection options given on the command line, which override the profile.
package struct PlanOptions: Sendable {
    package var user: String?
    package var port: UInt16?
    /// Replaces the profile's identities unless empty.
    package var identities: [String] = []
    package var password: SecretSource?
    package var passphrase: SecretSource?
    package var connectTimeout: Duration?
    /// Replaces the target's host name.
    package var hostName: String?
    package var addressFamily: AddressFamily?
    /// Nil keeps the profile's setting.
    package var usesAgent: Bool?
    package var usesPassword = true
    /// Zero disables keep-alives.
    package var keepAliveInterval: Duration?
    package var keepAliveCount: Int?
    /// Can only make the profile's policy stricter.
    package var hostKeyPolicy: HostKeyPolicy?
    package var knownHosts: String?
    package var route: Route?
    /// How long an unused connection is kept for other commands; zero disables sharing.
    package var shareTimeout: Duration?

    /// How to reach the server.
    package enum Route: Sendable {
        case direct
        /// The command, with its tokens (ssh_config(5), TOKENS) not yet expanded.
        case proxyCommand(String)
        /// Through these servers, in order.
        case jump([Target])
    }

    package init() {}
}
