import Core
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import TestSupport
import Testing

@testable import HTTP

extension HTTPClient {
    /// A client on an event loop of its own.
    static let forTests = HTTPClient(clock: ContinuousClock()) { endpoint throws(VTError) in
        do {
            return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelOption(.autoRead, value: false)
                .channelOption(.allowRemoteHalfClosure, value: true)
                .connect(host: endpoint.host, port: Int(endpoint.port)).get()
        } catch {
            throw VTError(.hostUnreachable, "\(error)")
        }
    }
}

/// A WebSocket server whose connections run `body`; any path but `/ws` is answered with 404.
struct SocketServer {
    let channel: any Channel
    private let certificate: Certificates.Pair?

    /// With a certificate, connections are encrypted.
    init(
        limitBytes: Int = 1 << 20,
        _ certificate: Certificates.Pair? = nil,
        _ body: @escaping @Sendable (WebSocket) async throws -> Void
    ) async throws {
        self.certificate = certificate
        let tls = try certificate.map { try TLSContext($0) }
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                let notFound = NIOLoopBound(NotFoundHandler(), eventLoop: channel.eventLoop)
                let upgrader = NIOWebSocketServerUpgrader(
                    maxFrameSize: limitBytes,
                    automaticErrorHandling: false,
                    shouldUpgrade: { channel, head in
                        let isKnown = head.uri == "/ws" && head.headers["X-Test"] == ["1"]
                        return channel.eventLoop.makeSucceededFuture(isKnown ? [:] : nil)
                    },
                    upgradePipelineHandler: { channel, _ in
                        channel.eventLoop.makeCompletedFuture {
                            channel.pipeline.syncOperations.removeHandler(notFound.value, promise: nil)
                            let socket = try WebSocket(
                                .server,
                                over: channel,
                                limitBytes: limitBytes,
                                acceptsText: true
                            )
                            Task {
                                try? await body(socket)
                                await socket.close(4000)
                            }
                        }.flatMap { channel.setOption(.autoRead, value: false) }
                    }
                )
                return channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(try tls.handler()) }
                    try pipeline.configureHTTPServerPipeline(
                        withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in })
                    )
                    try pipeline.addHandler(notFound.value)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    var client: HTTPClient { .forTests.trusting(certificate?.certificate) }

    func request(_ path: String = "/ws") throws -> HTTPRequest {
        let port = try #require(channel.localAddress?.port)
        return HTTPRequest(
            "GET",
            try HTTPAddress(parsing: "http\(certificate == nil ? "" : "s")://127.0.0.1:\(port)\(path)"),
            fields: [("X-Test", "1")]
        )
    }
}

/// Answers requests that do not open a WebSocket.
private final class NotFoundHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = unwrapInboundIn(data) else { return }
        let head = HTTPResponseHead(version: .http1_1, status: .notFound, headers: ["Content-Length": "0"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
