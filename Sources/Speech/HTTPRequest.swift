import Core
import NIOCore
import NIOHTTP1
import NIOSSL

/// An answer to a request.
struct HTTPAnswer: Sendable {
    var head: HTTPResponseHead
    var body: [UInt8] = []
}

/// A request that is the only one on its connection (RFC 9112).
struct HTTPRequest: Sendable {
    var head: HTTPRequestHead
    /// The parts of the body.
    var body: [[UInt8]]
    /// The host that the certificate must name; nil for a request without TLS.
    var securedFor: String?

    /// Sends the request, waits for its answer and closes the connection.
    ///
    /// `name` is what messages call the server.
    ///
    /// - Throws: `host.unreachable` when the connection is lost; `protocol` for an answer that is too large or is not
    ///   HTTP; `VTError.cancelled`.
    func answer(over channel: any Channel, limitBytes: Int, name: String) async throws(VTError) -> HTTPAnswer {
        let answer = channel.eventLoop.makePromise(of: HTTPAnswer.self)
        let isStarted = channel.eventLoop.submit {
            if let securedFor { try channel.pipeline.syncOperations.addHandler(Self.security(for: securedFor)) }
            try channel.pipeline.syncOperations.addHTTPClientHandlers()
            let handler = HTTPRequestHandler(self, answer, limitBytes: limitBytes)
            try channel.pipeline.syncOperations.addHandler(handler)
            return channel.setOption(.autoRead, value: true)
        }
        defer { channel.close(promise: nil) }
        isStarted.whenFailure { answer.fail($0) }
        do {
            return try await withTaskCancellationHandler {
                try await answer.futureResult.get()
            } onCancel: {
                answer.fail(CancellationError())
            }
        } catch {
            throw Self.failure(error, name, limitBytes)
        }
    }

    /// Returns a handler that checks the certificate against the roots of the system.
    private static func security(for host: String) throws -> NIOSSLClientHandler {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
        return try NIOSSLClientHandler(
            context: try NIOSSLContext(configuration: configuration),
            // Addresses are not sent (RFC 6066 §3); the certificate must then name that of the peer.
            serverHostname: isAddress ? nil : host
        )
    }

    private static func failure(_ error: any Error, _ name: String, _ limitBytes: Int) -> VTError {
        switch error {
        case is CancellationError: .cancelled
        case HTTPRequestHandler.Failure.tooLarge:
            VTError(.protocolViolation, "\(name) answered with more than \(limitBytes >> 20) MiB")
        case HTTPParserError.invalidEOFState, HTTPRequestHandler.Failure.closed:
            VTError(.hostUnreachable, "\(name) closed the connection before the end of its answer")
        case is HTTPParserError: VTError(.protocolViolation, "\(name) did not answer with valid HTTP")
        case NIOSSLError.handshakeFailed, is NIOSSLExtraError:
            VTError(.protocolViolation, "cannot verify that \(name) is the right server", causes: ["\(error)"])
        case let error as IOError:
            .system(error.errnoCode, "the connection to \(name) was lost", fallback: .hostUnreachable)
        default: VTError(.hostUnreachable, "the connection to \(name) was lost", causes: ["\(error)"])
        }
    }
}

/// Sends a request in chunks, each when the previous one has been sent, and collects the answer.
///
/// A server can answer before it has read the whole request.
private final class HTTPRequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    enum Failure: Error {
        case tooLarge, closed
    }

    private let request: HTTPRequest
    private let promise: EventLoopPromise<HTTPAnswer>
    private let limitBytes: Int
    private var unsent: ArraySlice<ArraySlice<UInt8>>
    private var answer: HTTPAnswer?
    private var hasEnded = false

    private static let chunkBytes = 64 << 10

    init(_ request: HTTPRequest, _ promise: EventLoopPromise<HTTPAnswer>, limitBytes: Int) {
        self.request = request
        self.promise = promise
        self.limitBytes = limitBytes
        unsent = request.body.map { $0[...] }[...]
    }

    func handlerAdded(context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(request.head)), promise: nil)
        sendNext(context)
    }

    private func sendNext(_ context: ChannelHandlerContext) {
        while unsent.first?.isEmpty == true { unsent.removeFirst() }
        guard let part = unsent.first else {
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            return
        }
        unsent[unsent.startIndex] = part.dropFirst(Self.chunkBytes)
        let chunk = IOData.byteBuffer(ByteBuffer(bytes: part.prefix(Self.chunkBytes)))
        let loop = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        // If sending fails, the server may have answered already; otherwise, the connection is reported as closed.
        context.writeAndFlush(wrapOutboundOut(.body(chunk))).whenSuccess {
            let (handler, context) = loop.value
            if !handler.hasEnded { handler.sendNext(context) }
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): answer = HTTPAnswer(head: head)
        case .body(let bytes):
            guard let count = answer?.body.count, count + bytes.readableBytes <= limitBytes else {
                return end(.failure(Failure.tooLarge))
            }
            answer?.body += bytes.readableBytesView
        case .end: end(answer.map { .success($0) } ?? .failure(Failure.closed))
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { end(.failure(Failure.closed)) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.failure(Failure.closed))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(.failure(error))
    }

    private func end(_ result: Result<HTTPAnswer, any Error>) {
        guard !hasEnded else { return }
        hasEnded = true
        promise.completeWith(result)
    }
}
