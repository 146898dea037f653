import Core
import NIOCore
import NIOWebSocket
import Runtime

/// Joins the frames of a WebSocket to messages, and closes the connection for frames that are not allowed (RFC 6455).
///
/// Bytes are read only on request, so that a client which sends faster than its messages are handled must wait.
final class MessageHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// The maximum length of a message of a page.
    static let limitBytes = 64 << 10
    private static let pingInterval = TimeAmount.seconds(20)
    /// How long a client may send nothing, not even answers to pings.
    private static let silenceLimit = TimeAmount.seconds(60)

    let inbox = Monitor(Inbox())
    private let limitBytes: Int
    private let acceptsText: Bool
    private var fragments: ByteBuffer?
    private var isClosing = false
    private var lastArrival = NIODeadline.now()
    private var ping: Scheduled<Void>?

    init(limitBytes: Int, acceptsText: Bool) {
        (self.limitBytes, self.acceptsText) = (limitBytes, acceptsText)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        schedulePing(context)
    }

    private func schedulePing(_ context: ChannelHandlerContext) {
        ping = context.eventLoop.assumeIsolated().scheduleTask(in: Self.pingInterval) {
            guard .now() - self.lastArrival <= Self.silenceLimit else { return context.close(promise: nil) }
            context.writeAndFlush(self.wrapOutboundOut(Self.frame(.ping)), promise: nil)
            self.schedulePing(context)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    private func end() {
        ping?.cancel()
        inbox.update { $0.isEnded = true }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error as? NIOWebSocketError {
        case .invalidFrameLength: close(context, .messageTooBig)
        case .fragmentedControlFrame, .multiByteControlFrameLength: close(context, .protocolError)
        case nil: context.close(promise: nil)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        lastArrival = .now()
        let frame = unwrapInboundIn(data)
        guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
            return close(context, .protocolError)
        }
        switch frame.opcode {
        case .binary where fragments == nil: receive(frame, context)
        case .continuation where fragments != nil: receive(frame, context)
        case .text where acceptsText && fragments == nil: receive(frame, context)
        case .text: close(context, .unsupportedData)
        case .ping:
            let pong = wrapOutboundOut(Self.frame(.pong, frame.unmaskedData))
            context.writeAndFlush(pong, promise: nil)
        case .pong: return
        case .connectionClose: finish(context, frame.unmaskedData)
        default: close(context, .protocolError)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // A message may need more bytes.
        if inbox.withLock({ $0.messages.isEmpty }) { context.read() }
        context.fireChannelReadComplete()
    }

    private func receive(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        var message = fragments ?? ByteBuffer()
        var part = frame.unmaskedData
        guard message.readableBytes + part.readableBytes <= limitBytes else {
            return close(context, .messageTooBig)
        }
        message.writeBuffer(&part)
        fragments = frame.fin ? nil : message
        if frame.fin { inbox.update { $0.messages.append(Array(message.readableBytesView)) } }
    }

    /// Closes the connection, after telling the client why.
    private func close(_ context: ChannelHandlerContext, _ reason: PageClosing) {
        var code = ByteBuffer()
        code.writeInteger(reason.rawValue)
        finish(context, code)
    }

    private func finish(_ context: ChannelHandlerContext, _ code: ByteBuffer) {
        isClosing = true
        inbox.update { $0.isEnded = true }
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(Self.frame(.connectionClose, code))).whenComplete { _ in
            channel.close(promise: nil)
        }
    }

    static func frame(_ opcode: WebSocketOpcode, _ data: ByteBuffer = ByteBuffer()) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: opcode, data: data)
    }
}
