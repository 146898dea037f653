import CLibSSH2
import Core

extension SSHConnection {
    /// Has the server listen on a port (0 lets the server choose one, RFC 4254 §7.1); returns the port.
    ///
    /// An empty bind address means all addresses of the server, and nil those of its loopback interface. `onAccept` is
    /// called for each connection, with its open channel.
    ///
    /// The connection must not have sent keep-alive requests: libssh2 would mistake the reply to one for the server's
    /// answer.
    ///
    /// - Throws: `protocol` when the server refuses, for which it gives no reason.
    func listen(
        on port: UInt16,
        bindAddress: String?,
        onAccept: @escaping @Sendable (ChannelID) -> Void
    ) async throws(VTError) -> UInt16 {
        let address = bindAddress ?? "localhost"
        do throws(SSHFailure) {
            return try await inTurn { () async throws(SSHFailure) in
                let handle = try await perform { session throws(SSHFailure) in
                    try session.listen(on: port, bindAddress: address)
                }
                listeners.append((handle, onAccept))
                return handle.port
            }
        } catch {
            guard error.code == LIBSSH2_ERROR_REQUEST_DENIED else { throw failure(error, doing: "listen on") }
            let listener = Forward.Listener.port(port, bindAddress: address)
            throw VTError(
                .protocolViolation,
                "'\(name)' refused to listen on '\(listener)'",
                hint: "the port might be in use on '\(name)', or forwarding is not allowed "
                    + "(AllowTcpForwarding and PermitListen in sshd_config(5))"
            )
        }
    }

    /// Accepts the connections that have arrived.
    func acceptConnections() {
        for (handle, onAccept) in listeners {
            // A failure means that the connection is lost, which is reported elsewhere.
            while let channel = try? attempt({ _ in handle.accept() }) { onAccept(adopt(channel)) }
        }
    }

    /// Stops listening on this machine and the server, without waiting for it; connections that are being forwarded
    /// continue.
    func stopListening() {
        for stop in localStops { stop() }
        localStops = []
        let handles = listeners.map(\.handle)
        listeners = []
        for handle in handles {
            // If the request cannot be sent now, the server stops when the connection ends.
            _ = try? attempt("channel_forward_cancel") { _ in handle.cancel() }
        }
    }
}
