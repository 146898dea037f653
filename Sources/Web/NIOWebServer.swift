import Core
import Glibc
import HTTP
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Runtime
import System

/// A web server on the event loop of an executor.
package struct NIOWebServer: WebServer {
    private let executor: LoopExecutor

    private static let backlog: Int32 = 128
    /// Connections that nobody reads from occupy at most this much memory beyond one message.
    private static let written = ChannelOptions.Types.WriteBufferWaterMark(low: 16 * 1024, high: 64 * 1024)
    /// How much of a request is read before it is the turn of other connections.
    private static let turnBytes = 1 << 10

    package init(executor: LoopExecutor) {
        self.executor = executor
    }

    package func serve(
        _ settings: WebSettings,
        _ site: any WebSite,
        interface: (any WebInterface)?
    ) async throws(VTError) {
        let eventLoop = try await executor.eventLoop()
        let control = try ControlListener(at: settings.controlPath)
        defer { control.remove() }
        let gate = Gate(site, interface, settings)
        let tls = try settings.certificate.map { certificate throws(VTError) in try TLS(certificate) }
        let listeners = [
            try await listen(settings.listen, gate, tls, on: eventLoop),
            try await control.listen(site, gate, executor, on: eventLoop),
        ]
        let address = listeners[0].endpoint(settings.listen)
        let origin = settings.origin ?? WebOrigin(scheme: settings.scheme, host: address.description)
        await site.isListening(at: address, as: origin)
        let never = Monitor(())
        _ = try? await never.wait { _ in Void?.none }
        for channel in listeners + gate.connections.channels { channel.close(promise: nil) }
        throw .cancelled
    }

    package func control(at path: String) async throws(VTError) -> any SessionChannel {
        try await ControlConnection.open(to: path, on: try await executor.eventLoop())
    }

    // MARK: - Connections

    private func listen(
        _ endpoint: Endpoint,
        _ gate: Gate,
        _ tls: TLS?,
        on eventLoop: any EventLoop
    ) async throws(VTError) -> any Channel {
        let executor = executor
        let bootstrap = ServerBootstrap(group: eventLoop)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.writeBufferWaterMark, value: Self.written)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.turnBytes))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try Self.accept(channel, gate, tls, executor) }
            }
        do {
            let host = endpoint.host == "localhost" ? "127.0.0.1" : endpoint.host
            return try await bootstrap.bind(to: SocketAddress(ipAddress: host, port: Int(endpoint.port))).get()
        } catch let error as IOError {
            let fallback: VTError.Code = error.errnoCode == EADDRINUSE ? .exists : .cannotCreate
            throw .system(error.errnoCode, "cannot listen on '\(endpoint)'", fallback: fallback)
        } catch {
            throw VTError(.hostUnresolved, "'\(endpoint.host)' is not an address")
        }
    }

    /// Adds the handlers for a request to an accepted connection.
    private static func accept(
        _ channel: any Channel,
        _ gate: Gate,
        _ tls: TLS?,
        _ executor: LoopExecutor
    ) throws {
        gate.connections.add(channel, as: .stranger)
        let request = RequestHandler(gate, executor)
        let bound = NIOLoopBound(request, eventLoop: channel.eventLoop)
        let limit = HeadLimit(
            isComplete: { request.isComplete },
            fail: { request.refuse(.requestHeaderFieldsTooLarge) }
        )
        let boundLimit = NIOLoopBound(limit, eventLoop: channel.eventLoop)
        let upgrader = SocketUpgrader(
            limitBytes: { head, channel in gate.messageLimitBytes(of: head, on: channel) },
            shouldUpgrade: { channel, head in
                guard case .socket = gate.answer(to: head, on: channel) else {
                    return channel.eventLoop.makeSucceededFuture(nil)
                }
                bound.value.beginsUpgrade()
                var headers = HTTPHeaders.ofAnswers
                if head.isForPage { headers.add(name: "Sec-WebSocket-Protocol", value: PageFrame.subprotocol) }
                return channel.eventLoop.makeSucceededFuture(headers)
            },
            completion: { channel, head in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    pipeline.removeHandler(bound.value, promise: nil)
                    pipeline.removeHandler(boundLimit.value, promise: nil)
                    let interface = head.isForPage ? nil : gate.interface
                    let connection = try PageConnection(
                        channel,
                        gate.connections,
                        limitBytes: gate.messageLimitBytes(of: head, on: channel),
                        acceptsText: interface != nil
                    )
                    if interface != nil { gate.addProgram(channel) }
                    let request = gate.request(head, on: channel)
                    Task(executorPreference: executor) {
                        if let interface {
                            await interface.converse(over: connection, request)
                        } else {
                            await gate.site.converse(over: connection)
                        }
                        await connection.close()
                    }
                }
                .flatMap { channel.setOption(.autoRead, value: false) }
                .flatMap { RequestHandler.readMore(over: channel) }
            }
        )
        let pipeline = channel.pipeline.syncOperations
        if let tls {
            let address = channel.peerAddress
            try pipeline.addHandler(PlainRequestHandler { gate.site.refused(address, status: 400) })
            try pipeline.addHandler(tls.handler())
        }
        try pipeline.addHandler(limit)
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false,
            withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }),
            withErrorHandling: false
        )
        try pipeline.addHandler(request)
    }
}

extension WebSettings {
    var scheme: String { certificate == nil ? "http" : "https" }
}

extension Channel {
    /// The address at which a listener accepts connections, with the actual port.
    fileprivate func endpoint(_ requested: Endpoint) -> Endpoint {
        Endpoint(host: requested.host, port: localAddress?.port.map { UInt16(clamping: $0) } ?? requested.port)
    }
}
