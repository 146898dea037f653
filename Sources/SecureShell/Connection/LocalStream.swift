import Core
import NIOCore

/// The near end of a tunnel: a NIO channel that is read only on request.
final class LocalStream: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// Called when bytes arrive, there is room to write, or a direction ends.
    var onEvent: (() -> Void)?
    /// Whether no more bytes will arrive.
    private(set) var isEnded = false
    private var isInactive = false
    private var hasEndedOutput = false
    private var buffers = CircularBuffer<ByteBuffer>()
    private var isReadPending = false
    private var context: ChannelHandlerContext?

    /// Creates the stream of a channel that has not been read.
    static func added(to channel: any Channel) throws(VTError) -> LocalStream {
        let stream = LocalStream()
        do {
            try channel.pipeline.syncOperations.addHandler(stream)
        } catch {
            throw VTError(.internal, "cannot read from a forwarded connection", causes: ["\(error)"])
        }
        return stream
    }

    // MARK: - Interface to the tunnel

    /// Whether nothing can be written anymore, because the peer has closed or reset the connection.
    var isGone: Bool {
        isInactive && !hasEndedOutput
    }

    /// Whether there is room to write; bytes for a closed connection are discarded.
    var isWritable: Bool {
        isInactive || context?.channel.isWritable != false
    }

    /// Returns the next bytes that have arrived; nil if there are none.
    func takeBytes() -> ByteBuffer? {
        buffers.popFirst()
    }

    /// Puts bytes back, to be taken next.
    func putBack(_ bytes: [UInt8]) {
        if !bytes.isEmpty { buffers.prepend(ByteBuffer(bytes: bytes)) }
    }

    /// Waits for bytes, and returns them; nil at the end.
    func nextBytes() async -> ByteBuffer? {
        while true {
            if let bytes = takeBytes() { return bytes }
            if isEnded { return nil }
            read()
            await withCheckedContinuation { continuation in
                onEvent = {
                    self.onEvent = nil
                    continuation.resume()
                }
            }
        }
    }

    /// Requests more bytes.
    func read() {
        guard !isReadPending, !isEnded else { return }
        isReadPending = true
        context?.read()
    }

    func write(_ bytes: [UInt8]) {
        context?.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
    }

    /// Ends the direction to the peer after the written bytes; bytes can still arrive.
    func endOutput() {
        guard !hasEndedOutput else { return }
        hasEndedOutput = true
        afterWrites { $0.close(mode: .output, promise: nil) }
    }

    /// Closes the connection after the written bytes.
    func close() {
        isEnded = true
        afterWrites { $0.close(promise: nil) }
        onEvent?()
    }

    private func afterWrites(_ action: @escaping @Sendable (any Channel) -> Void) {
        guard let channel = context?.channel else { return }
        channel.writeAndFlush(ByteBuffer()).whenComplete { _ in action(channel) }
    }

    // MARK: - ChannelInboundHandler

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    /// Repeats a read that was requested before the channel was registered, because it had no effect.
    func channelActive(context: ChannelHandlerContext) {
        if isReadPending { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        buffers.append(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReadPending = false
        onEvent?()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        onEvent?()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? ChannelEvent, event == .inputClosed else { return }
        isEnded = true
        onEvent?()
    }

    /// The channel closes after an error, which `channelInactive` reports.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        isEnded = true
        isInactive = true
        onEvent?()
    }
}
