import Core
import NIOCore
import NIOWebSocket
import Runtime

/// The messages that have arrived on a WebSocket.
struct WebSocketInbox: Sendable {
    var messages: ArraySlice<WebSocketMessage> = []
    /// Whether no more messages will arrive.
    var isEnded = false
    var closeCode: UInt16?
}

/// Joins the frames of a WebSocket to messages, and closes the connection for frames that are not allowed (RFC 6455).
///
/// Bytes are read only on request, so that a peer which sends faster than its messages are handled must wait.
final class WebSocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private static let pingInterval = TimeAmount.seconds(20)
    /// How long the peer may send nothing, not even answers to pings.
    private static let silenceLimit = TimeAmount.seconds(60)

    let inbox = Monitor(WebSocketInbox())
    private let side: WebSocket.Side
    private let limitBytes: Int
    private let acceptsText: Bool
    /// The message of which frames are missing.
    private var incomplete: (bytes: ByteBuffer, isText: Bool)?
    private var isClosing = false
    private var lastArrival = NIODeadline.now()
    private var ping: Scheduled<Void>?

    init(_ side: WebSocket.Side, limitBytes: Int, acceptsText: Bool) {
        (self.side, self.limitBytes, self.acceptsText) = (side, limitBytes, acceptsText)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        schedulePing(context)
    }

    private func schedulePing(_ context: ChannelHandlerContext) {
        ping = context.eventLoop.assumeIsolated().scheduleTask(in: Self.pingInterval) {
            guard .now() - self.lastArrival <= Self.silenceLimit else { return context.close(promise: nil) }
            context.writeAndFlush(self.wrapOutboundOut(self.side.frame(.ping)), promise: nil)
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

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // Nothing can follow without a close frame.
        if let event = event as? ChannelEvent, event == .inputClosed { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error as? NIOWebSocketError {
        case .invalidFrameLength: close(context, .messageTooLarge)
        case .fragmentedControlFrame, .multiByteControlFrameLength: close(context, .protocolError)
        case nil: context.close(promise: nil)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        lastArrival = .now()
        let frame = unwrapInboundIn(data)
        let isMasked = frame.maskKey != nil
        guard isMasked == (side == .server), !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
            return close(context, .protocolError)
        }
        switch frame.opcode {
        case .text where !acceptsText: close(context, .unacceptableData)
        case .binary where incomplete == nil, .text where incomplete == nil, .continuation where incomplete != nil:
            receive(frame, context)
        case .ping:
            context.writeAndFlush(wrapOutboundOut(side.frame(.pong, frame.unmaskedData)), promise: nil)
        case .pong: return
        case .connectionClose:
            finish(context, frame.unmaskedData)
        default: close(context, .protocolError)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // A message may need more bytes.
        if inbox.withLock({ $0.messages.isEmpty && !$0.isEnded }) { context.read() }
        context.fireChannelReadComplete()
    }

    private func receive(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        var (bytes, isText) = incomplete ?? (ByteBuffer(), frame.opcode == .text)
        var part = frame.unmaskedData
        guard bytes.readableBytes + part.readableBytes <= limitBytes else { return close(context, .messageTooLarge) }
        bytes.writeBuffer(&part)
        incomplete = frame.fin ? nil : (bytes, isText)
        guard frame.fin else { return }
        let message = Array(buffer: bytes)
        guard isText else { return inbox.update { $0.messages.append(.binary(message)) } }
        guard let text = String(validating: message, as: UTF8.self) else {
            return close(context, .dataInconsistentWithMessage)
        }
        inbox.update { $0.messages.append(.text(text)) }
    }

    /// Closes the connection, after telling the peer why.
    private func close(_ context: ChannelHandlerContext, _ reason: WebSocketErrorCode) {
        var code = ByteBuffer()
        code.write(webSocketErrorCode: reason)
        finish(context, code)
    }

    private func finish(_ context: ChannelHandlerContext, _ code: ByteBuffer) {
        isClosing = true
        inbox.update { inbox in
            inbox.isEnded = true
            inbox.closeCode = code.getInteger(at: code.readerIndex)
        }
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(side.frame(.connectionClose, code))).whenComplete { _ in
            channel.close(promise: nil)
        }
    }
}
