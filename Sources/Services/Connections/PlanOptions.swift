import Core

/// What the command line says about a connection; it goes before the profile.
package struct PlanOptions: Sendable {
    package var user: String?
    package var port: UInt16?
    /// Replace the profile's identities when there are any.
    package var identities: [String] = []
    package var password: SecretSource?
    package var passphrase: SecretSource?
    package var connectTimeout: Duration?
    /// Takes the place of the target's host.
    package var hostName: String?
    package var addressFamily: AddressFamily?
    /// Nil: what the profile says.
    package var usesAgent: Bool?
    package var usesPassword = true
    /// Zero: none are sent.
    package var keepAliveInterval: Duration?
    package var keepAliveCount: Int?
    /// Only makes the profile's policy stricter.
    package var hostKeyPolicy: HostKeyPolicy?
    package var knownHosts: String?
    package var route: Route?

    /// The way to the server.
    package enum Route: Sendable {
        case direct
        /// With the tokens of ssh_config(5).
        case proxyCommand(String)
        /// Through these servers, the first one first.
        case jump([Target])
    }

    package init() {}
}
