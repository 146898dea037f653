import NIOCore

/// The bytes between a NIO channel and libssh2, confined to the channel's event loop.
///
/// libssh2's callbacks take from `inbound` and add to `outbound`; whoever called into the library then flushes. A send
/// is never refused half-way: libssh2 keeps the rest of a packet for the next call, and no other call may then come in
/// between. So back-pressure acts before a call is made (`isWritable`), and what is queued stays bounded by that mark
/// and a few packets. A peer that makes us answer without reading meets `outboundLimitBytes`.
///
/// libssh2 is never told that the peer has closed: it would then give away neither the output that it still holds nor
/// how the program ended. Who waits for more bytes looks at `isEnded`.
final class Wire: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What questions for a password are answered with, once.
    var keyboardAnswer: [UInt8]?
    /// The memory that libssh2 works in.
    let memory = SessionMemory()
    /// Called after bytes, room or the end came.
    var onEvent: (() -> Void)?
    /// Whether libssh2 took bytes since this was last reset.
    var hasConsumed = false
    /// All bytes that ever came.
    private(set) var receivedBytes: UInt64 = 0
    private(set) var lastArrival = NIODeadline.now()
    /// All bytes that libssh2 ever sent.
    private(set) var sentBytes: UInt64 = 0
    /// Whether the peer has closed its side, or the channel is gone.
    private(set) var isEnded = false
    /// The reason the channel failed for, where it did.
    private(set) var failure: (any Error)?
    /// The first bytes, kept until `stopRecording` for what libssh2 does not tell of the handshake.
    private(set) var recording: ByteBuffer? = ByteBuffer()

    /// Whether the peer has sent more than `receiveLimit`.
    private(set) var hasReceivedTooMuch = false
    /// How many bytes may come in all; nil: any number.
    private var receiveLimit: UInt64?

    /// Whether libssh2 had to be stopped waiting.
    private(set) var wasStuck = false

    private var inbound = CircularBuffer<ByteBuffer>(initialCapacity: 8)
    private var inboundBytes = 0
    private var outbound = ByteBuffer()
    private var isClosed = false
    private var hasAskedForBytes = false
    private var context: ChannelHandlerContext?
    /// How often libssh2 has asked for bytes since the last flush when there were none.
    private var idleReceptions = 0
    /// Nil once no acknowledgement needs to be hurried.
    private var quickAcknowledgement: (() -> Void)?

    /// On some failures libssh2 1.10 asks again and again until the peer has closed a channel, which never happens within
    /// the call (`while(… == LIBSSH2_ERROR_EAGAIN)` in `sftp_init`); elsewhere a call asks a few times at most.
    private static let idleReceptionLimit = 1000
    private static let inboundLimitBytes = 256 * 1024
    private static let outboundLimitBytes = 2 << 20
    /// Three of libssh2's packets; one by one they cost a twentieth more time.
    private static let corkBytes = 96 * 1024
    private static let recordingLimitBytes = 64 * 1024

    // MARK: - For the connection

    /// Whether more may be sent.
    var isWritable: Bool {
        context?.channel.isWritable ?? false
    }

    /// Whether bytes wait that nobody has taken yet; the peer's silence then says nothing.
    var hasUnreadBytes: Bool {
        inboundBytes > 0
    }

    /// Whether the peer has closed its side and everything that came has been taken.
    var isDrained: Bool {
        isEnded && inboundBytes == 0
    }

    /// Puts what libssh2 wanted to send on its way, and asks for more bytes where there is room for them.
    ///
    /// With `isMoreComing` bytes may wait until there are enough for a system call to be worth it.
    func flush(isMoreComing: Bool = false) {
        idleReceptions = 0
        guard let context, !isClosed else { return }
        if outbound.readableBytes > (isMoreComing ? Self.corkBytes : 0) {
            let bytes = outbound
            outbound = ByteBuffer()
            context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
            guard !isOverfull(context.channel) else {
                failure = failure ?? PeerReadsNothing()
                context.close(promise: nil)
                return
            }
        }
        if inboundBytes < Self.inboundLimitBytes, !hasAskedForBytes {
            hasAskedForBytes = true
            context.read()
        }
    }

    /// Whether more waits to be sent than a peer that reads ever leaves.
    private func isOverfull(_ channel: any Channel) -> Bool {
        guard !channel.isWritable else { return false }
        // A channel that cannot tell has closed.
        let queued = try? channel.syncOptions?.getOption(.bufferedWritableBytes)
        return queued.map { $0 > Self.outboundLimitBytes } ?? false
    }

    /// Closes the channel without sending what was not flushed; libssh2 sees a closed link from now on.
    func close() {
        isClosed = true
        isEnded = true
        inbound.removeAll()
        inboundBytes = 0
        context?.close(promise: nil)
    }

    /// Lets so many further bytes come and then ends the connection; nil: any number.
    func limitReception(toFurther bytes: UInt64?) {
        receiveLimit = bytes.map { receivedBytes + $0 }
    }

    /// Ends the recording of the first bytes.
    func stopRecording() {
        recording = nil
    }

    /// Calls `action` after each arrival of bytes until `stopQuickAcknowledgement`.
    func startQuickAcknowledgement(_ action: @escaping () -> Void) {
        quickAcknowledgement = action
        action()
    }

    func stopQuickAcknowledgement() {
        quickAcknowledgement = nil
    }

    // MARK: - For libssh2

    /// What the receive callback finds.
    enum Reception {
        case bytes(Int)
        case nothingYet
        case end
    }

    /// Fills `buffer` from what has come.
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
        guard filled > 0 else {
            idleReceptions += 1
            wasStuck = wasStuck || idleReceptions > Self.idleReceptionLimit
            return wasStuck ? .end : .nothingYet
        }
        inboundBytes -= filled
        hasConsumed = true
        return .bytes(filled)
    }

    /// Queues bytes to send; false when the link is closed or one call has sent too much.
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
        failure = failure ?? error
        context.close(promise: nil)
    }

    private func end() {
        isEnded = true
        onEvent?()
    }
}

/// The peer makes us send and takes nothing of it.
private struct PeerReadsNothing: Error, CustomStringConvertible {
    let description = "the peer sends requests without reading the responses"
}

extension ByteBuffer {
    /// The first bytes, at most `count`.
    fileprivate func prefix(_ count: Int) -> ByteBuffer {
        getSlice(at: readerIndex, length: Swift.min(max(0, count), readableBytes)) ?? ByteBuffer()
    }
}
