import Core

/// A port of the server whose connections are forwarded to this machine.
final class RemoteListener {
    private let handle: ListenerHandle
    private let onAccept: (ChannelID) -> Void

    /// `onAccept` is called for each connection, with its open channel.
    init(_ handle: ListenerHandle, onAccept: @escaping (ChannelID) -> Void) {
        self.handle = handle
        self.onAccept = onAccept
    }

    /// Accepts the connections that have arrived.
    func accept(on connection: isolated SSHConnection) {
        let handle = handle
        // A failure means that the connection is lost, which is reported elsewhere.
        while let channel = try? connection.attempt({ _ in handle.accept() }) { onAccept(connection.adopt(channel)) }
    }

    /// Stops listening, without waiting for the server.
    func cancel(on connection: isolated SSHConnection) {
        let handle = handle
        // If the request cannot be sent now, the server stops when the connection ends.
        _ = try? connection.attempt("channel_forward_cancel") { _ in handle.cancel() }
    }
}
