import Core
import Glibc
import NIOCore
import NIOPosix
import System

/// The sockets on this machine that accept the connections of one forward.
struct LocalListener {
    typealias Accept = @Sendable (any Channel) throws -> Void

    /// Where connections are accepted, with the actual port.
    let listener: Forward.Listener
    private let channels: [any Channel]
    /// The file of a Unix domain socket.
    private let file: (path: String, identity: FileIdentity?)?

    /// The length of the queue for connections that have not been accepted yet.
    private static let backlog: Int32 = 512

    /// Listens, and calls `accept` on the event loop for each connection, which becomes active afterward.
    ///
    /// - Throws: `exists` when the port or socket is in use, `cannot-create` or `host.unresolved`.
    static func start(
        _ listener: Forward.Listener,
        options: ForwardOptions,
        on eventLoop: any EventLoop,
        accept: @escaping Accept
    ) async throws(VTError) -> LocalListener {
        switch listener {
        case .socket(let path): try await start(path, options, on: eventLoop, accept)
        case .port(let port, let address): try await start(port, address, options, on: eventLoop, accept)
        }
    }

    private init(
        _ listener: Forward.Listener,
        _ channels: [any Channel],
        file: (path: String, identity: FileIdentity?)? = nil
    ) {
        self.listener = listener
        self.channels = channels
        self.file = file
    }

    /// Stops listening; connections that have been accepted stay open.
    func stop() {
        for channel in channels { channel.close(promise: nil) }
        if let file { file.identity?.remove(at: file.path) }
    }

    // MARK: - Sockets

    private static func start(
        _ path: String,
        _ options: ForwardOptions,
        on eventLoop: any EventLoop,
        _ accept: @escaping Accept
    ) async throws(VTError) -> LocalListener {
        // If the file cannot be removed, bind(2) reports that it is in use.
        if options.replacesSockets { unsafe unlink(path) }
        let socket = try UnixSocket.listen(at: path, backlog: backlog)
        let identity = FileIdentity(at: path)
        let bound = bootstrap(on: eventLoop, accept).withBoundSocket(socket.release())
        do {
            return LocalListener(.socket(path), [try await bound.get()], file: (path, identity))
        } catch {
            identity?.remove(at: path)
            throw failure(error, .socket(path))
        }
    }

    // MARK: - Ports

    private static func start(
        _ port: UInt16,
        _ address: String?,
        _ options: ForwardOptions,
        on eventLoop: any EventLoop,
        _ accept: @escaping Accept
    ) async throws(VTError) -> LocalListener {
        let host = address ?? (options.acceptsFromAnywhere ? "" : "localhost")
        let bootstrap = bootstrap(on: eventLoop, accept).childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        var channels: [any Channel] = []
        var port = port
        var failures: [any Error] = []
        for address in try await addresses(host, options.addressFamily) {
            var address = address
            address.port = Int(port)
            do {
                let channel = try await Self.restricted(bootstrap, to: address).bind(to: address).get()
                channels.append(channel)
                // Use the same port for all addresses.
                port = channel.localAddress?.port.map { UInt16($0) } ?? port
            } catch let error as IOError where [EADDRNOTAVAIL, EAFNOSUPPORT].contains(error.errnoCode) {
                // A machine need not have both IPv4 and IPv6.
                failures.append(error)
            } catch {
                for channel in channels { channel.close(promise: nil) }
                throw failure(error, .port(port, bindAddress: host))
            }
        }
        if channels.isEmpty, let error = failures.first { throw failure(error, .port(port, bindAddress: host)) }
        return LocalListener(.port(port, bindAddress: host), channels)
    }

    /// The addresses to listen on: all of this machine for an empty host, those of the loopback interface for
    /// `localhost`.
    private static func addresses(_ host: String, _ family: AddressFamily?) async throws(VTError) -> [SocketAddress] {
        let hosts: [String]
        switch (host, family) {
        case ("", .ipv4): hosts = ["0.0.0.0"]
        case ("", .ipv6): hosts = ["::"]
        case ("", nil): hosts = ["0.0.0.0", "::"]
        case ("localhost", .ipv4): hosts = ["127.0.0.1"]
        case ("localhost", .ipv6): hosts = ["::1"]
        case ("localhost", nil): hosts = ["127.0.0.1", "::1"]
        default: return try await HostResolver().addresses(of: Endpoint(host: host, port: 0), family: family)
        }
        return hosts.compactMap { AddressLookup.literal($0, port: 0) }
    }

    private static func bootstrap(on eventLoop: any EventLoop, _ accept: @escaping Accept) -> ServerBootstrap {
        ServerBootstrap(group: eventLoop)
            .serverChannelOption(.backlog, value: backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childWireOptions()
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try accept(channel) }
            }
    }

    /// Keeps an IPv6 socket from also accepting IPv4 connections, which have their own socket (ipv6(7)).
    private static func restricted(_ bootstrap: ServerBootstrap, to address: SocketAddress) -> ServerBootstrap {
        guard address.protocol == .inet6 else { return bootstrap }
        let option = ChannelOptions.socket(SocketOptionLevel(IPPROTO_IPV6), SocketOptionName(IPV6_V6ONLY))
        return bootstrap.serverChannelOption(option, value: 1)
    }

    private static func failure(_ error: any Error, _ listener: Forward.Listener) -> VTError {
        let message = "cannot listen on '\(listener)'"
        guard let number = (error as? IOError)?.errnoCode else {
            return VTError(.cannotCreate, message, causes: ["\(error)"])
        }
        return .system(number, message, fallback: number == EADDRINUSE ? .exists : .cannotCreate)
    }
}
