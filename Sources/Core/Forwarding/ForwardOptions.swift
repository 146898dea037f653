/// How this machine listens for connections to forward.
package struct ForwardOptions: Hashable, Sendable {
    /// Whether connections from other machines are accepted if a forward has no bind address (ssh_config(5),
    /// GatewayPorts).
    package var acceptsFromAnywhere = false
    /// Whether an existing socket file is removed first (ssh_config(5), StreamLocalBindUnlink).
    package var replacesSockets = false
    /// Nil means any.
    package var addressFamily: AddressFamily?

    package init() {}
}
