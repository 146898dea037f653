import Core

/// One line of the output of `vt forward --json`.
struct ForwardDocument {
    /// The machine that accepts connections.
    enum Side: String, CaseIterable, JSONValue {
        case local, remote
    }

    private let number: Int
    private let side: Side
    private let address: String
    private let target: String?

    init(_ forward: Forward, number: Int) {
        self.number = number
        side = forward.side == .local ? .local : .remote
        address = forward.listener.clientAddress
        target = forward.target?.description
    }
}

extension ForwardDocument: JSONDocument {
    static let documentName = "forward"
    static let documentSummary = "a forward that accepts connections"

    static let fields: JSONTable<Self> = [
        .field("number", \.number, "number in the order -L, -R, -D, starting at 1"),
        .field("side", \.side, "machine that accepts connections"),
        .field("address", \.address, "address that clients on that machine connect to: `127.0.0.1:8080` or a path"),
        .field("target", \.target, "destination of connections; absent for a SOCKS proxy, whose clients choose it"),
    ]
}

extension Forward.Listener {
    /// The address that a client on the listening machine can connect to.
    var clientAddress: String {
        switch self {
        case .port(let port, _): Endpoint(host: clientHost, port: port).description
        case .socket(let path): path
        }
    }

    /// The host of `clientAddress`; a listener on all addresses or on localhost accepts connections on IPv4 loopback.
    var clientHost: String {
        guard case .port(_, let address?) = self, !["", "localhost"].contains(address) else { return "127.0.0.1" }
        return address
    }
}
