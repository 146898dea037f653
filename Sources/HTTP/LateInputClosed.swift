import NIOCore

/// Passes on that the server has closed its direction in the next step of the event loop.
///
/// In that step, the HTTP decoder passes the bytes that follow an answer with status 101 to the handlers of the WebSocket.
/// It would drop them if it knew that no more will come (`HTTPDecoder.decodeLast`).
final class LateInputClosed: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? ChannelEvent, event == .inputClosed else {
            return context.fireUserInboundEventTriggered(event)
        }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.eventLoop.execute { bound.value.fireUserInboundEventTriggered(event) }
    }
}
