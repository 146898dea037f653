import Core
import Glibc
import NIOCore
import NIOPosix
import Runtime

/// Opens TCP connections, racing the addresses of a host (RFC 8305).
package struct TCPDialer: Sendable {
    let eventLoop: any EventLoop

    /// Resolves the host and connects to it; the channel has not started reading.
    ///
    /// - Throws: `host.unresolved`; errors thrown by `connect(to:at:from:)`.
    package static func connect(to endpoint: Endpoint, on executor: LoopExecutor) async throws(VTError) -> any Channel {
        let addresses = try await HostResolver().addresses(of: endpoint)
        return try await TCPDialer(eventLoop: try await executor.eventLoop()).connect(to: endpoint, at: addresses)
    }

    /// Connects to the first address that responds; the channel has not started reading.
    ///
    /// - Throws: `host.unreachable`; `system` when descriptors or memory are exhausted; `VTError.cancelled`.
    func connect(
        to endpoint: Endpoint,
        at addresses: [SocketAddress],
        from source: LocalAddress? = nil
    ) async throws(VTError) -> any Channel {
        if let source { return try await connect(to: endpoint, at: addresses, binding: source) }
        return try await bootstrap(addresses).connect(host: endpoint.host, port: Int(endpoint.port))
            .value(to: endpoint.description)
    }

    /// Tries the addresses of the families of `source`, one family after the other.
    private func connect(
        to endpoint: Endpoint,
        at addresses: [SocketAddress],
        binding source: LocalAddress
    ) async throws(VTError) -> any Channel {
        var failure = VTError(
            .hostUnreachable,
            "cannot connect to '\(endpoint)' from '\(source.name)': their address families differ"
        )
        for local in source.addresses {
            let reachable = addresses.filter { $0.protocol == local.protocol }
            guard !reachable.isEmpty else { continue }
            do throws(VTError) {
                return try await bootstrap(reachable).bind(to: local)
                    .connect(host: endpoint.host, port: Int(endpoint.port))
                    .value(to: "\(endpoint) from \(source.name)")
            } catch {
                guard error.code == .hostUnreachable else { throw error }
                failure = error
            }
        }
        throw failure
    }

    private func bootstrap(_ addresses: [SocketAddress]) -> ClientBootstrap {
        ClientBootstrap(group: eventLoop)
            .resolver(KnownAddresses(addresses, on: eventLoop))
            // The caller enforces the deadline by canceling.
            .connectTimeout(.hours(24))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .wireOptions()
    }
}

extension EventLoopFuture<any Channel> {
    /// Waits for the channel; closes a channel that arrives after the task was canceled.
    ///
    /// - Throws: `host.unreachable`; `system` when descriptors or memory are exhausted; `VTError.cancelled`.
    func value(to name: String) async throws(VTError) -> any Channel {
        let promise = eventLoop.makePromise(of: (any Channel).self)
        whenComplete { result in
            switch result {
            case .success(let channel): promise.succeed(channel)
            case .failure(let error): promise.fail(error)
            }
        }
        do {
            return try await withTaskCancellationHandler {
                try await promise.futureResult.get()
            } onCancel: {
                promise.fail(CancellationError())
                whenSuccess { $0.close(promise: nil) }
            }
        } catch {
            throw Self.failure(error, to: name)
        }
    }

    private static func failure(_ error: any Error, to name: String) -> VTError {
        if error is CancellationError { return .cancelled }
        let causes = (error as? NIOConnectionError)?.connectionErrors.map(\.error) ?? [error]
        let numbers = causes.compactMap { ($0 as? IOError)?.errnoCode }
        // The error of the last address is the most useful: preferred addresses usually fail because there is no
        // route.
        guard let number = numbers.last else {
            return VTError(.hostUnreachable, "cannot connect to '\(name)'", causes: causes.map { "\($0)" })
        }
        var failure = VTError.system(number, "cannot connect to '\(name)'", fallback: .hostUnreachable)
        failure.connectErrno = number
        return failure
    }
}

extension ClientBootstrap {
    /// The options of every channel that carries an SSH connection.
    func wireOptions() -> ClientBootstrap {
        channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.recvAllocator, value: receiveBuffers)
            .channelOption(.writeBufferWaterMark, value: sendBuffers)
    }
}

extension EventLoop {
    /// Turns one end of a socket pair into a channel, which has not started reading; takes ownership of the descriptor,
    /// even on failure.
    func channel(owning descriptor: CInt, name: String) async throws(VTError) -> any Channel {
        try await ClientBootstrap(group: self).wireOptions().withConnectedSocket(descriptor).value(to: name)
    }

    /// Turns the ends of two pipes into a channel, as `channel(owning:name:)` does with one of a socket pair.
    func channel(reading input: CInt, writing output: CInt, name: String) async throws(VTError) -> any Channel {
        try await NIOPipeBootstrap(group: self)
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.recvAllocator, value: receiveBuffers)
            .channelOption(.writeBufferWaterMark, value: sendBuffers)
            .takingOwnershipOfDescriptors(input: input, output: output)
            .value(to: name)
    }
}

extension ServerBootstrap {
    /// The same options for accepted connections.
    func childWireOptions() -> ServerBootstrap {
        childChannelOption(.autoRead, value: false)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.recvAllocator, value: receiveBuffers)
            .childChannelOption(.writeBufferWaterMark, value: sendBuffers)
    }
}

/// The buffers of connections that carry SSH or forwarded data.
private let receiveBuffers = AdaptiveRecvByteBufferAllocator(minimum: 4096, initial: 16_384, maximum: 262_144)
private let sendBuffers = ChannelOptions.Types.WriteBufferWaterMark(low: 128 * 1024, high: 512 * 1024)

/// Provides NIO with addresses that are already resolved, so that it can race IPv6 and IPv4.
private struct KnownAddresses: Resolver {
    private let addresses: [SocketAddress]
    private let eventLoop: any EventLoop

    init(_ addresses: [SocketAddress], on eventLoop: any EventLoop) {
        self.addresses = addresses
        self.eventLoop = eventLoop
    }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        eventLoop.makeSucceededFuture(addresses.filter { $0.protocol == .inet })
    }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        eventLoop.makeSucceededFuture(addresses.filter { $0.protocol == .inet6 })
    }

    func cancelQueries() {}
}
