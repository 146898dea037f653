import Core
import NIOCore
import POSIX

extension SSHConnection {
    /// Opens a tunnel to another server through this one; returns one end of it, ready for an SSH connection.
    ///
    /// Throws `host.unreachable` if this server cannot reach the other one or does not permit tunnels to it.
    func tunnel(to endpoint: Endpoint) async throws(VTError) -> any Channel {
        let id = try await openTunnel(to: endpoint)
        do throws(VTError) {
            let (near, far) = try DescriptorPair.sockets().release()
            let local = try await ConnectedSocket.channel(owning: near, on: eventLoop, name: name)
            let remote = try await ConnectedSocket.channel(owning: far, on: eventLoop, name: name)
            try carry(id, to: local)
            return remote
        } catch {
            forget(id)
            throw error
        }
    }

    private func openTunnel(to endpoint: Endpoint) async throws(VTError) -> ChannelID {
        // RFC 4254 §7.2: host and port to connect to, address and port of the originator.
        var data: [UInt8] = []
        data.appendString(Array(endpoint.host.utf8))
        data.appendUInt32(UInt32(endpoint.port))
        data.appendString(Array("127.0.0.1".utf8))
        data.appendUInt32(0)
        do throws(CallFailure) {
            return try await openChannel("direct-tcpip", window: ChannelHandle.tunnelWindowBytes, data: data)
        } catch {
            guard case .engine(let reason) = error, !reason.isLinkLoss else {
                throw failure(error, doing: "connect through")
            }
            throw VTError(
                .hostUnreachable,
                "'\(name)' cannot reach '\(endpoint)'",
                hint: "that server might be down, or '\(name)' does not allow forwarding "
                    + "(AllowTcpForwarding in sshd_config(5))",
                causes: [reason.summary]
            )
        }
    }

    private func carry(_ id: ChannelID, to local: any Channel) throws(VTError) {
        do {
            let handle = try channel(id)
            // A tunneled connection has no error output; unread data of that kind would fill the window.
            _ = try attempt("channel_handle_extended_data") { _ in handle.ignoreExtendedData() }
            let tunnel = Tunnel(connection: self, id: id, handle: handle, local: local)
            tunnels[id] = tunnel
            try tunnel.start()
            tunnel.pump(on: self)
        } catch {
            throw VTError(.internal, "cannot use the connection through '\(name)'", causes: ["\(error)"])
        }
    }
}
