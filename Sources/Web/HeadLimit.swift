import NIOCore

/// Passes on the bytes of a request until the head is complete or too long.
///
/// The decoder behind this handler would accept a longer head that arrives at once.
final class HeadLimit: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    static let bytes = 16 << 10

    /// Whether the decoder has passed on the head.
    private let isComplete: () -> Bool
    private let fail: () -> Void
    private var rest = HeadLimit.bytes

    init(isComplete: @escaping () -> Bool, fail: @escaping () -> Void) {
        self.isComplete = isComplete
        self.fail = fail
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        guard !isComplete(), let head = buffer.readSlice(length: min(rest, buffer.readableBytes)) else {
            return context.fireChannelRead(data)
        }
        rest -= head.readableBytes
        context.fireChannelRead(wrapInboundOut(head))
        if rest == 0, !isComplete() { return fail() }
        if buffer.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(buffer)) }
    }
}
