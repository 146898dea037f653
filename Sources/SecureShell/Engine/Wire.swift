import NIOCore
import Runtime

/// The byte buffers between a NIO channel and libssh2, confined to the channel's event loop.
///
/// libssh2's callbacks read from `inbound` and append to `outbound`; the caller of the library flushes afterward. A
/// send is never refused midway, because libssh2 would then keep the rest of the packet for the next call and allow no
/// other call in between. Instead, back-pressure applies before a call (`isWritable`), and the queue is bounded by the
/// high-water mark plus a few packets. If a peer provokes output without reading it, the connection fails at
/// `outboundLimitBytes`.
///
/// libssh2 is not notified that the peer has closed the connection, because it would then return neither its buffered
/// output nor the exit status. Callers that wait for more bytes check `isDrained`.
final class Wire: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The answer to a password prompt, used once.
    var keyboardAnswer: [UInt8]?
    /// The questions of the server in the current attempt to answer with `keyboardAnswer`.
    var keyboardQuestions: [String] = []
    /// The keyboard-interactive attempt in which the user answers.
    var conversation: KeyboardConversation?
    /// Whether the server has reported that the user's key is for one command.
    var isCommandForced = false
    /// The memory allocator for libssh2.
    let memory = SessionMemory()
    /// Called when bytes arrive, there is room to send, or the connection ends.
    var onEvent: (() -> Void)?
    /// Whether libssh2 has read bytes since this was last reset.
    var hasConsumed = false
    /// The total number of bytes received.
    private(set) var receivedBytes: UInt64 = 0
    private(set) var lastArrival = NIODeadline.now()
    /// When libssh2 last received a complete packet; parts of one do not show that the peer is there.
    private(set) var lastPacket = NIODeadline.now()
    private var packetCount: UInt64 = 0
    /// The total number of bytes sent by libssh2.
    private(set) var sentBytes: UInt64 = 0
    /// Whether the peer has closed its side, or the channel is closed.
    private(set) var isEnded = false
    /// Why the channel has ended, if it failed.
    private(set) var failure: String?
    /// The first bytes, kept until `stopRecording` for parts of the handshake that libssh2 does not expose.
    private(set) var recording: ByteBuffer? = ByteBuffer()

    /// Whether the peer has sent more than `receiveLimit`.
    private(set) var hasReceivedTooMuch = false
    /// The maximum number of bytes to receive in total; nil means no limit.
    private var receiveLimit: UInt64?

    private var inbound = CircularBuffer<ByteBuffer>(initialCapacity: 8)
    private var inboundBytes = 0
    private var outbound = ByteBuffer()
    private var isClosed = false
    private var hasAskedForBytes = false
    private var context: ChannelHandlerContext?
    /// Called when bytes arrive, to accelerate their acknowledgment; nil if that is not needed.
    private var quickAcknowledgement: (() -> Void)?

    private static let inboundLimitBytes = 256 * 1024
    private static let outboundLimitBytes = 2 << 20
    /// The number of bytes to collect before a write, three libssh2 packets; writing packets individually takes 5%
    /// longer.
    private static let corkBytes = 96 * 1024
    private static let recordingLimitBytes = 64 * 1024

    // MARK: - Interface to the connection

    /// Whether more data can be sent.
    var isWritable: Bool {
        context?.channel.isWritable ?? false
    }

    /// Whether there are received bytes that have not been read; if so, the peer's silence is not significant.
    var hasUnreadBytes: Bool {
        inboundBytes > 0
    }

    /// Whether the peer has closed its side and all received bytes have been read.
    var isDrained: Bool {
        isEnded && inboundBytes == 0
    }

    /// Writes the data queued by libssh2, and reads more if there is room.
    ///
    /// With `isMoreComing`, data is held back until there is enough for a system call.
    func flush(isMoreComing: Bool = false) {
        memory.isReceiving = false
        if memory.completePackets != packetCount {
            packetCount = memory.completePackets
            lastPacket = lastArrival
        }
        guard let context, !isClosed else { return }
        if outbound.readableBytes > (isMoreComing ? Self.corkBytes : 0) {
            let bytes = outbound
            outbound = ByteBuffer()
            context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
            guard !isOverfull(context.channel) else {
                failure = failure ?? "the peer sends requests without reading the responses"
                context.close(promise: nil)
                return
            }
        }
        if inboundBytes < Self.inboundLimitBytes, !hasAskedForBytes {
            hasAskedForBytes = true
            context.read()
        }
    }

    /// Whether the queue has grown so long that the peer must have stopped reading.
    private func isOverfull(_ channel: any Channel) -> Bool {
        guard !channel.isWritable else { return false }
        // A failure means that the channel is closed.
        let queued = try? channel.syncOptions?.getOption(.bufferedWritableBytes)
        return queued.map { $0 > Self.outboundLimitBytes } ?? false
    }

    /// Closes the channel and discards unflushed data; libssh2 then treats the connection as closed.
    func close() {
        isClosed = true
        isEnded = true
        inbound.removeAll()
        inboundBytes = 0
        context?.close(promise: nil)
    }

    /// Limits the number of further bytes to receive, after which the connection ends; nil means no limit.
    func limitReception(toFurther bytes: UInt64?) {
        receiveLimit = bytes.map { receivedBytes + $0 }
    }

    /// Stops recording the first bytes.
    func stopRecording() {
        recording = nil
    }

    /// Calls `action` whenever bytes arrive, until `stopQuickAcknowledgement`.
    func startQuickAcknowledgement(_ action: @escaping () -> Void) {
        quickAcknowledgement = action
        action()
    }

    func stopQuickAcknowledgement() {
        quickAcknowledgement = nil
    }

    // MARK: - libssh2 callbacks

    /// The result of the receive callback.
    enum Reception {
        case bytes(Int)
        case nothingYet
        case end
    }

    /// Fills `buffer` with received bytes.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Reception {
        guard !isClosed else { return .end }
        var filled = 0
        while filled < buffer.count, var first = inbound.first {
            let count = min(first.readableBytes, buffer.count - filled)
            unsafe first.readWithUnsafeReadableBytes { bytes in
                let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
                return count
            }
            filled += count
            if first.readableBytes == 0 {
                inbound.removeFirst()
            } else {
                inbound[inbound.startIndex] = first
            }
        }
        guard filled > 0 else { return .nothingYet }
        inboundBytes -= filled
        hasConsumed = true
        memory.isReceiving = true
        return .bytes(filled)
    }

    /// Queues bytes to send; returns false if the connection is closed or one call has sent too much.
    func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !isClosed, outbound.readableBytes + bytes.count <= Self.outboundLimitBytes else { return false }
        unsafe outbound.writeBytes(bytes)
        sentBytes += UInt64(bytes.count)
        return true
    }

    // MARK: - ChannelInboundHandler

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        isEnded = true
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        lastArrival = .now()
        receivedBytes += UInt64(bytes.readableBytes)
        if let receiveLimit, receivedBytes > receiveLimit {
            hasReceivedTooMuch = true
            close()
            return
        }
        inboundBytes += bytes.readableBytes
        if let recorded = recording?.readableBytes {
            recording?.writeImmutableBuffer(bytes.prefix(Self.recordingLimitBytes - recorded))
        }
        inbound.append(bytes)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        hasAskedForBytes = false
        quickAcknowledgement?()
        onEvent?()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        onEvent?()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { end() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failure = failure ?? error.causeText
        context.close(promise: nil)
    }

    private func end() {
        isEnded = true
        onEvent?()
    }
}

extension ByteBuffer {
    /// The first bytes, at most `count`.
    fileprivate func prefix(_ count: Int) -> ByteBuffer {
        getSlice(at: readerIndex, length: Swift.min(max(0, count), readableBytes)) ?? ByteBuffer()
    }
}
