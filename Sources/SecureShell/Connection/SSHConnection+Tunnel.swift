import Core
import NIOCore
import System

extension SSHConnection {
    /// Opens a tunnel to another server through this one; returns one end of it, ready for an SSH connection.
    ///
    /// Throws `host.unreachable` if this server cannot reach the other one or does not permit tunnels to it.
    func tunnel(to endpoint: Endpoint) async throws(VTError) -> any Channel {
        let id = try await openForward(to: .endpoint(endpoint))
        do throws(VTError) {
            let (near, far) = try DescriptorPair.sockets().release()
            let local = try await eventLoop.channel(owning: near, name: name)
            let remote = try await eventLoop.channel(owning: far, name: name)
            try carry(id, to: try LocalStream.added(to: local))
            return remote
        } catch {
            forget(id)
            throw error
        }
    }

    /// Opens a channel that the server connects to an address.
    ///
    /// - Throws: `host.unreachable` if the server cannot connect to the address or does not permit the connection.
    func openForward(to address: ForwardAddress) async throws(VTError) -> ChannelID {
        do throws(SSHFailure) {
            switch address {
            case .endpoint(let endpoint):
                // RFC 4254 §7.2: host and port to connect to, address and port of the originator.
                var data: [UInt8] = []
                data.appendString(Array(endpoint.host.utf8))
                data.appendUInt32(UInt32(endpoint.port))
                data.appendString(Array("127.0.0.1".utf8))
                data.appendUInt32(0)
                return try await openChannel("direct-tcpip", window: ChannelHandle.tunnelWindowBytes, data: data)
            case .socket(let path):
                // PROTOCOL of OpenSSH, §2.4: path, and two reserved fields.
                var data: [UInt8] = []
                data.appendString(Array(path.utf8))
                data.appendString([])
                data.appendUInt32(0)
                let type: StaticString = "direct-streamlocal@openssh.com"
                return try await openChannel(type, window: ChannelHandle.tunnelWindowBytes, data: data)
            }
        } catch {
            guard error.code != nil, !error.isLinkLoss else { throw failure(error, doing: "connect through") }
            throw VTError(
                .hostUnreachable,
                "'\(name)' cannot reach '\(address)': \(error.refusalReason)",
                hint: "the target might be down, or '\(name)' does not allow forwarding "
                    + "(AllowTcpForwarding in sshd_config(5))",
                causes: error.causes
            )
        }
    }

    /// Transfers bytes between a channel and a local stream until both directions have ended, and then calls `onClose`.
    func carry(_ id: ChannelID, to stream: LocalStream, onClose: @escaping () -> Void = {}) throws(VTError) {
        do throws(SSHFailure) {
            let handle = try channel(id)
            // A forwarded connection has no error output; unread data of that kind would fill the window.
            _ = try attempt("channel_handle_extended_data") { _ in handle.ignoreExtendedData() }
            let tunnel = Tunnel(connection: self, id: id, handle: handle, local: stream, onClose: onClose)
            tunnels[id] = tunnel
            tunnel.start()
            tunnel.pump(on: self)
        } catch {
            throw failure(error, doing: "use the connection through")
        }
    }
}
