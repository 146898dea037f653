/// The forwarding options of ssh_config(5); nil means that an option is not set.
package struct ForwardSettings: Hashable, Sendable {
    /// LocalForward, RemoteForward and DynamicForward, in order.
    package var forwards: [Forward] = []
    /// Whether all forwards are ignored, wherever they are given (ClearAllForwardings).
    package var clearsForwards: Bool?
    /// Whether failing to set up a forward is an error (ExitOnForwardFailure).
    package var exitsOnFailure: Bool?
    /// Whether connections from other machines are accepted if a forward has no bind address (GatewayPorts).
    package var acceptsFromAnywhere: Bool?
    /// Whether an existing socket file is removed first (StreamLocalBindUnlink).
    package var replacesSockets: Bool?

    package init() {}
}
