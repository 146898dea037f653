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
/// Bytes are read only on request, so that a peer which sends faster than its messages are handled must wait, and one
/// that does not read the answers to its pings is not read either. Each frame takes constant time.
final class WebSocketHandler: ChannelInboundHandler, ChannelOutboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
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
    /// Whether the answer to the last ping has not arrived.
    private var isPinging = false
    /// Whether the answer to a ping of the peer has not been passed to the system.
    private var isAnswering = false
    /// What the latest ping after that contained, the only one that is to be answered (RFC 6455 §5.5.3).
    private var unanswered: ByteBuffer?
    /// Whether bytes have been requested that are not to be read yet.
    private var owesRead = false

    init(_ side: WebSocket.Side, limitBytes: Int, acceptsText: Bool) {
        (self.side, self.limitBytes, self.acceptsText) = (side, limitBytes, acceptsText)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        schedulePing(context)
    }

    /// Sends no ping before the last one has been answered, so that none accumulate.
    private func schedulePing(_ context: ChannelHandlerContext) {
        ping = context.eventLoop.assumeIsolated().scheduleTask(in: Self.pingInterval) {
            guard .now() - self.lastArrival <= Self.silenceLimit else { return context.close(promise: nil) }
            if !self.isPinging {
                self.isPinging = true
                context.writeAndFlush(self.wrapOutboundOut(self.side.frame(.ping)), promise: nil)
            }
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
        unanswered = nil
        owesRead = false
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

    // MARK: - Reading

    func read(context: ChannelHandlerContext) {
        // A peer that sends a second ping without reading the answer to the first does not read.
        guard unanswered == nil else { return owesRead = true }
        context.read()
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
        case .ping: answer(frame.unmaskedData, context)
        case .pong: isPinging = false
        case .connectionClose: finish(context, frame.unmaskedData)
        default: close(context, .protocolError)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // A message may need more bytes.
        if inbox.withLock({ $0.messages.isEmpty && !$0.isEnded }) { read(context: context) }
        context.fireChannelReadComplete()
    }

    private func receive(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        var (bytes, isText) = incomplete ?? (ByteBuffer(), frame.opcode == .text)
        // Otherwise, all bytes would be copied for each frame.
        incomplete = nil
        var part = frame.unmaskedData
        guard bytes.readableBytes + part.readableBytes <= limitBytes else { return close(context, .messageTooLarge) }
        bytes.writeBuffer(&part)
        guard frame.fin else { return incomplete = (bytes, isText) }
        let message = Array(buffer: bytes)
        guard isText else { return inbox.update { $0.messages.append(.binary(message)) } }
        guard let text = String(validating: message, as: UTF8.self) else {
            return close(context, .dataInconsistentWithMessage)
        }
        inbox.update { $0.messages.append(.text(text)) }
    }

    /// Answers a ping, once the previous answer has been passed to the system.
    private func answer(_ data: ByteBuffer, _ context: ChannelHandlerContext) {
        guard !isAnswering else { return unanswered = data }
        isAnswering = true
        let loop = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        // If sending fails, the connection is closed.
        context.writeAndFlush(wrapOutboundOut(side.frame(.pong, data))).whenSuccess {
            let (handler, context) = loop.value
            handler.hasAnswered(context)
        }
    }

    private func hasAnswered(_ context: ChannelHandlerContext) {
        isAnswering = false
        guard let next = unanswered, !isClosing else { return }
        unanswered = nil
        answer(next, context)
        guard owesRead, unanswered == nil else { return }
        owesRead = false
        context.read()
    }

    // MARK: - Closing

    /// Closes the connection, after telling the peer why.
    private func close(_ context: ChannelHandlerContext, _ reason: WebSocketErrorCode) {
        var code = ByteBuffer()
        code.write(webSocketErrorCode: reason)
        finish(context, code)
    }

    private func finish(_ context: ChannelHandlerContext, _ code: ByteBuffer) {
        isClosing = true
        incomplete = nil
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
