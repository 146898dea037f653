import NIOCore

/// Answers a request that is not encrypted, on a connection that should be, and closes the connection.
final class PlainRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let text = "400 Bad Request\nThis port expects TLS: use https://.\n"
    private static let answer =
        "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: \(text.utf8.count)\r\n"
        + "Connection: close\r\n\r\n\(text)"

    private let refused: () -> Void
    private var hasAnswered = false

    init(refused: @escaping () -> Void) {
        self.refused = refused
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasAnswered else { return }
        let bytes = unwrapInboundIn(data)
        // Methods begin with a letter, and TLS with the number of its first record (RFC 8446 §5.1).
        let isText = bytes.readableBytesView.first.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ?? false
        guard isText else {
            context.fireChannelRead(data)
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
            return
        }
        hasAnswered = true
        refused()
        let loop = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: Self.answer))).whenComplete { _ in
            // Without a farewell of TLS.
            loop.value.close(promise: nil)
        }
    }
}
