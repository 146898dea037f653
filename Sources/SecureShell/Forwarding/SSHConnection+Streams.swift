import Core
import NIOCore
import NIOPosix

/// Forwards individual connections.
extension SSHConnection {
    /// How long a SOCKS client may take to send its request.
    private static let requestTimeout = TimeAmount.seconds(30)

    /// Forwards a connection that this machine has accepted; without a target, the client specifies one (SOCKS).
    ///
    /// `onEnd` is called once, when forwarding has ended, with the error if the connection could not be forwarded.
    func forward(
        _ channel: any Channel,
        to target: ForwardAddress?,
        onEnd: @escaping @Sendable (VTError?) -> Void
    ) throws(VTError) {
        let stream = try LocalStream.added(to: channel)
        Task(executorPreference: executor) { await self.forward(stream, to: target, onEnd: onEnd) }
    }

    private func forward(
        _ stream: LocalStream,
        to target: ForwardAddress?,
        onEnd: @escaping @Sendable (VTError?) -> Void
    ) async {
        do throws(VTError) {
            if let target {
                try carry(try await openForward(to: target), to: stream) { onEnd(nil) }
            } else {
                try await forwardAsRequested(stream) { onEnd(nil) }
            }
        } catch {
            stream.close()
            onEnd(error)
        }
    }

    private func forwardAsRequested(_ stream: LocalStream, onClose: @escaping () -> Void) async throws(VTError) {
        var request = SOCKSRequest()
        let endpoint = try await endpoint(of: &request, from: stream)
        do throws(VTError) {
            let id = try await openForward(to: .endpoint(endpoint))
            stream.write(request.reply(isConnected: true))
            stream.putBack(request.bytes)
            try carry(id, to: stream, onClose: onClose)
        } catch {
            stream.write(request.reply(isConnected: false))
            throw error
        }
    }

    /// Reads a request, answering as needed, until the address is known.
    private func endpoint(of request: inout SOCKSRequest, from stream: LocalStream) async throws(VTError) -> Endpoint {
        let timer = limitRequest(from: stream)
        defer { timer.cancel() }
        while true {
            switch request.next() {
            case .connect(let endpoint): return endpoint
            case .answer(let bytes): stream.write(bytes)
            case .refuse(let bytes, let reason):
                stream.write(bytes)
                throw VTError(.protocolViolation, reason)
            case .needsBytes:
                guard let bytes = await stream.nextBytes() else {
                    throw VTError(.protocolViolation, "the client sent no SOCKS request")
                }
                request.receive(bytes.readableBytesView)
            }
        }
    }

    private func limitRequest(from stream: LocalStream) -> Scheduled<Void> {
        eventLoop.assumeIsolated().scheduleTask(in: Self.requestTimeout) { stream.close() }
    }

    /// Connects this machine to the target of a connection that the server has accepted.
    func connect(
        _ id: ChannelID,
        to target: ForwardAddress,
        onEnd: @escaping @Sendable (VTError?) -> Void
    ) {
        Task(executorPreference: executor) { await self.carry(id, dialing: target, onEnd: onEnd) }
    }

    private func carry(
        _ id: ChannelID,
        dialing target: ForwardAddress,
        onEnd: @escaping @Sendable (VTError?) -> Void
    ) async {
        do throws(VTError) {
            try carry(id, to: try await dial(target)) { onEnd(nil) }
        } catch {
            forget(id)
            onEnd(error)
        }
    }

    private func dial(_ target: ForwardAddress) async throws(VTError) -> LocalStream {
        let channel: any Channel
        switch target {
        case .endpoint(let endpoint):
            let addresses = try await HostResolver().addresses(of: endpoint)
            channel = try await TCPDialer(eventLoop: eventLoop).connect(to: endpoint, at: addresses)
        case .socket(let path):
            let bootstrap = ClientBootstrap(group: eventLoop).wireOptions()
            channel = try await bootstrap.connect(unixDomainSocketPath: path).value(to: path)
        }
        return try LocalStream.added(to: channel)
    }
}
