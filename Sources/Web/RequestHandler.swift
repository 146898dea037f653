import Core
import HTTP
import NIOCore
import NIOHTTP1
import Runtime

/// Answers the only request of a connection, which is then closed, unless a WebSocket is opened.
final class RequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// How long a client may take to send the head of its request.
    private static let headTimeout = TimeAmount.seconds(10)
    /// How long a client may take to send the body of its request.
    private static let bodyTimeout = TimeAmount.seconds(30)
    /// How much of a body or of messages is read before it is the turn of other connections.
    private static let turnBytes = 8 << 10
    /// How long a client may take to read a file.
    private static let answerTimeout = TimeAmount.seconds(30)

    private let gate: Gate
    private let executor: LoopExecutor
    /// Whether the head has been received, or an answer sent.
    private(set) var isComplete = false
    /// The request to the interface for programs whose body is arriving.
    private var request: WebRequest?
    private var allowance: WebAllowance?
    private var timer: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    init(_ gate: Gate, _ executor: LoopExecutor) {
        self.gate = gate
        self.executor = executor
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.headTimeout) { self.refuse(.requestTimeout) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    /// The head of a request that opens a WebSocket has arrived.
    func beginsUpgrade() {
        isComplete = true
        timer?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): if !isComplete { receive(head, context) }
        case .body(let part): receive(part)
        case .end: finishRequest(over: context.channel)
        }
    }

    private func receive(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        isComplete = true
        timer?.cancel()
        let answer = gate.answer(to: head, on: context.channel)
        switch answer {
        // NIO has not recognized a valid handshake.
        case .socket: respond(.upgradeRequired, extra: ["Upgrade": "websocket"])
        case .refusal(let status): refuse(status)
        case .file(let file): send(file, isHead: head.method == .HEAD)
        case .download(let ticket): download(ticket, over: context.channel)
        case .interface:
            let request = gate.request(head, on: context.channel)
            allowance = gate.interface?.allowance(of: request)
            if let refusal = allowance?.refusal(of: head.headers) { return refuse(refusal) }
            self.request = request
            _ = Self.readMore(over: context.channel)
            timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.bodyTimeout) {
                self.request = nil
                self.refuse(.requestTimeout)
            }
        }
    }

    /// Reads more at a time from a client that is to send more than the head of a request.
    static func readMore(over channel: any Channel) -> EventLoopFuture<Void> {
        channel.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: turnBytes))
    }

    private func receive(_ part: ByteBuffer) {
        guard let allowance, let count = request?.body.count else { return }
        guard count + part.readableBytes <= allowance.bodyBytes else {
            request = nil
            return refuse(.payloadTooLarge)
        }
        request?.body += part.readableBytesView
    }

    private func finishRequest(over channel: any Channel) {
        guard let request, let interface = gate.interface else { return }
        self.request = nil
        timer?.cancel()
        guard allowance?.isLoggedIn != true || gate.connections.use(channel, as: .request) else {
            return refuse(.serviceUnavailable)
        }
        let (gate, executor) = (gate, executor)
        let this = NIOLoopBound(self, eventLoop: channel.eventLoop)
        Task(executorPreference: executor) {
            let answer = await interface.answer(request)
            guard case .stream(let write) = answer.content else {
                return channel.eventLoop.execute { this.value.send(answer) }
            }
            guard gate.hasRoom else { return channel.eventLoop.execute { this.value.refuse(.serviceUnavailable) } }
            gate.addProgram(channel)
            let stream = Task(executorPreference: executor) {
                await AnswerSink(channel).send(answer.responseStatus, answer.responseHeaders, write)
            }
            channel.closeFuture.whenComplete { _ in stream.cancel() }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError {
            refuse(.badRequest)
        } else if error is IOError || error is TLSError {
            context.close(promise: nil)
        }
    }

    // MARK: - Answers

    /// Answers with an error, and reports it.
    func refuse(_ status: HTTPResponseStatus) {
        guard let context else { return }
        gate.site.refused(context.channel.peerAddress, status: Int(status.code))
        respond(status)
    }

    private func respond(_ status: HTTPResponseStatus, extra: HTTPHeaders = [:]) {
        var headers = extra
        headers.add(name: "Content-Type", value: "text/plain; charset=utf-8")
        var text = "\(status.code) \(status.reasonPhrase)\n"
        if status == .misdirectedRequest {
            text +=
                "This server is not reached by this name and port. To allow them: vt serve --origin http://NAME:PORT/\n"
        }
        respond(status, headers, Array(text.utf8), isHead: false)
    }

    private func send(_ file: PageFile, isHead: Bool) {
        respond(.ok, ["Content-Type": file.type], file.contents, isHead: isHead)
    }

    private func send(_ answer: WebAnswer) {
        guard case .bytes(let bytes) = answer.content else { return }
        respond(answer.responseStatus, answer.responseHeaders, bytes, isHead: false)
    }

    private func respond(_ status: HTTPResponseStatus, _ extra: HTTPHeaders, _ body: [UInt8], isHead: Bool) {
        guard let context else { return }
        isComplete = true
        timer?.cancel()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.answerTimeout) {
            self.context?.close(promise: nil)
        }
        var headers = HTTPHeaders.ofAnswers
        headers.add(contentsOf: extra)
        headers.add(name: "Content-Length", value: String(body.count))
        headers.add(name: "Connection", value: "close")
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !isHead { context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil) }
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }

    private func download(_ ticket: String, over channel: any Channel) {
        let (site, connections) = (gate.site, gate.connections)
        let this = NIOLoopBound(self, eventLoop: channel.eventLoop)
        Task(executorPreference: executor) {
            guard let download = await site.download(ticket) else {
                return channel.eventLoop.execute { this.value.refuse(.notFound) }
            }
            guard connections.use(channel, as: .download(link: download.link)) else {
                return channel.eventLoop.execute { this.value.refuse(.serviceUnavailable) }
            }
            await AnswerSink(channel).send(download)
        }
    }
}

extension WebAllowance {
    /// Why a request is refused before its body arrives.
    ///
    /// Small chunks take much more time than their contents, so only bodies whose length is known are accepted (RFC 9112
    /// §6.3).
    fileprivate func refusal(of headers: HTTPHeaders) -> HTTPResponseStatus? {
        guard headers["transfer-encoding"].isEmpty else { return .lengthRequired }
        let length = headers["content-length"].first.map { Int($0) ?? .max } ?? 0
        return length <= bodyBytes ? nil : .payloadTooLarge
    }
}

extension WebAnswer {
    fileprivate var responseStatus: HTTPResponseStatus { HTTPResponseStatus(statusCode: status) }

    fileprivate var responseHeaders: HTTPHeaders {
        HTTPHeaders([("Content-Type", type)] + headers.map { ($0.name, $0.value) })
    }
}
