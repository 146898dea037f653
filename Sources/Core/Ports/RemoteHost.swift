/// An authenticated connection to a server.
package protocol RemoteHost: CommandHost {
    /// Forwards connections over this one; nil if that is not possible.
    var forwarder: (any ConnectionForwarder)? { get }

    /// Whether a program with `ExecRequest.isKept` keeps running after the end of its input.
    var keepsPrograms: Bool { get }

    /// Closes the connection, waiting only briefly for the peer.
    func close() async
}

extension RemoteHost {
    /// By default, connections cannot be forwarded.
    package var forwarder: (any ConnectionForwarder)? { nil }

    /// By default, a program gets the end of its input.
    package var keepsPrograms: Bool { false }
}
