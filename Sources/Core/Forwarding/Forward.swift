/// A port or socket whose connections are forwarded through a server (ssh(1), options `-L`, `-R` and `-D`).
package struct Forward: Hashable, Sendable {
    /// The machine that accepts the connections; the other one connects to the target.
    package enum Side: Hashable, Sendable {
        /// This machine.
        case local
        /// The server.
        case remote
    }

    /// Where connections are accepted.
    package enum Listener: Hashable, Sendable {
        /// A TCP port; 0 lets the system choose one.
        ///
        /// An empty bind address means all addresses, and nil means only this machine, unless an option says otherwise
        /// (ssh_config(5), GatewayPorts).
        case port(UInt16, bindAddress: String?)
        /// The path of a Unix domain socket.
        case socket(String)
    }

    package var side: Side
    package var listener: Listener
    /// The target of the connections; nil means that each client specifies one (SOCKS).
    package var target: ForwardAddress?

    package init(_ side: Side, listener: Listener, target: ForwardAddress?) {
        self.side = side
        self.listener = listener
        self.target = target
    }
}

extension Forward.Listener: CustomStringConvertible {
    /// The address in messages: `localhost:8080`, `*:8080` or a path.
    package var description: String {
        switch self {
        case .port(let port, let address):
            let host = address.map { $0.isEmpty ? "*" : $0 } ?? "localhost"
            return Endpoint(host: host, port: port).description
        case .socket(let path): return path
        }
    }
}
