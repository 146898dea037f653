import NIOCore

/// Encrypts a connection with libssl.
///
/// Data that was written before the handshake is complete is sent afterward. Data is encrypted only as fast as the peer
/// reads; a write succeeds once all of it has been passed to the system.
package final class TLSHandler: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    private enum State {
        case handshaking
        case open
        /// Waiting for the peer to say that it has sent everything, so that it is not interrupted while it reads.
        case closing(timer: Scheduled<Void>)
        case closed
    }

    /// How much data is encrypted at once: four records (RFC 8446 §5.1).
    private static let pieceBytes = 64 << 10
    /// How long a peer may take to close its direction.
    private static let closeTimeout = TimeAmount.seconds(5)
    /// How much a peer may make libssl answer without reading the answers.
    private static let unreadLimitBytes = 1 << 20

    private let session: TLSSession
    private var state = State.handshaking
    private var unsent = MarkedCircularBuffer<(data: ByteBuffer, promise: EventLoopPromise<Void>?)>(initialCapacity: 8)
    private var isEncrypting = false
    private var isInputEnded = false
    private var isOutputEnded = false
    /// To be completed when the end of the output has been sent after the data.
    private var outputEnd: EventLoopPromise<Void>??
    private var hasDelivered = false

    init(_ session: consuming TLSSession) {
        self.session = session
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { attempt(context) { () throws(TLSError) in try continueHandshake(context) } }
    }

    package func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        attempt(context) { () throws(TLSError) in try continueHandshake(context) }
    }

    private func attempt(_ context: ChannelHandlerContext, _ step: () throws(TLSError) -> Void) {
        do throws(TLSError) { try step() } catch { fail(context, error) }
    }

    private func continueHandshake(_ context: ChannelHandlerContext) throws(TLSError) {
        guard case .handshaking = state else { return }
        let isComplete = try session.handshake()
        sendRecords(context)
        guard isComplete else { return }
        state = .open
        encrypt(context)
    }

    // MARK: - Input

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .closed = state { return }
        attempt(context) { () throws(TLSError) in
            try session.receive(unwrapInboundIn(data))
            try continueHandshake(context)
            try decrypt(context)
        }
    }

    private func decrypt(_ context: ChannelHandlerContext) throws(TLSError) {
        if case .handshaking = state { return }
        var data = context.channel.allocator.buffer(capacity: 0)
        // What precedes an error is passed on before it.
        let end = Result { () throws(TLSError) in try session.read(into: &data) }
        sendRecords(context)
        if case .open = state, data.readableBytes > 0 {
            hasDelivered = true
            context.fireChannelRead(wrapInboundOut(data))
        }
        if try end.get() { endInput(context) }
    }

    private func endInput(_ context: ChannelHandlerContext) {
        guard !isInputEnded else { return }
        isInputEnded = true
        guard case .open = state else { return context.close(promise: nil) }
        let isHalfAllowed = try? context.channel.syncOptions?.getOption(.allowRemoteHalfClosure)
        if isHalfAllowed == true { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        if isHalfAllowed != true || isOutputEnded { close(context: context, mode: .all, promise: nil) }
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        // A record may need more bytes, or contain no data.
        guard hasDelivered else { return context.read() }
        hasDelivered = false
        context.fireChannelReadComplete()
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let channelEvent = event as? ChannelEvent, channelEvent == .inputClosed else {
            return context.fireUserInboundEventTriggered(event)
        }
        switch state {
        case .handshaking: fail(context, .endDuringHandshake)
        case .open where !isInputEnded:
            isInputEnded = true
            context.fireErrorCaught(TLSError.truncated)
            context.fireUserInboundEventTriggered(event)
        case .closing: context.close(promise: nil)
        case .open, .closed: break
        }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        let last = state
        end(ChannelError.ioOnClosedChannel)
        switch last {
        case .handshaking: context.fireErrorCaught(TLSError.endDuringHandshake)
        case .open where !isInputEnded: context.fireErrorCaught(TLSError.truncated)
        case .open, .closing, .closed: break
        }
        context.fireChannelInactive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        end(ChannelError.ioOnClosedChannel)
    }

    // MARK: - Output

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch state {
        case .handshaking, .open: break
        case .closing, .closed: return promise?.fail(ChannelError.ioOnClosedChannel) ?? ()
        }
        guard !isOutputEnded else { return promise?.fail(ChannelError.outputClosed) ?? () }
        var data = unwrapOutboundIn(data)
        while data.readableBytes > Self.pieceBytes, let piece = data.readSlice(length: Self.pieceBytes) {
            unsent.append((piece, nil))
        }
        unsent.append((data, promise))
    }

    package func flush(context: ChannelHandlerContext) {
        unsent.mark()
        encrypt(context)
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        encrypt(context)
        context.fireChannelWritabilityChanged()
    }

    /// Sends the data that was flushed, as long as the channel has room for it.
    private func encrypt(_ context: ChannelHandlerContext) {
        guard !isEncrypting else { return }
        isEncrypting = true
        defer { isEncrypting = false }
        while case .open = state, unsent.hasMark, context.channel.isWritable {
            // A flush makes room, and can lead to further writes.
            while context.channel.isWritable, unsent.hasMark, let (data, promise) = unsent.popFirst() {
                do throws(TLSError) {
                    if data.readableBytes > 0 { try session.write(data) }
                } catch {
                    promise?.fail(error)
                    return fail(context, error)
                }
                let records = session.takeRecords(context.channel.allocator) ?? ByteBuffer()
                context.write(wrapOutboundOut(records), promise: promise)
            }
            context.flush()
        }
        guard case .open = state, let promise = outputEnd, unsent.isEmpty else { return }
        outputEnd = nil
        session.end()
        sendRecords(context)
        context.close(mode: .output, promise: promise)
    }

    /// Sends what libssl itself has to say.
    private func sendRecords(_ context: ChannelHandlerContext) {
        guard let records = session.takeRecords(context.channel.allocator) else { return }
        context.writeAndFlush(wrapOutboundOut(records), promise: nil)
        guard !context.channel.isWritable else { return }
        let unread = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
        if let unread, unread > Self.unreadLimitBytes { context.close(promise: nil) }
    }

    // MARK: - Closing

    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        switch (mode, state) {
        case (.input, _): promise?.fail(ChannelError.operationUnsupported)
        case (_, .closed), (.all, .handshaking):
            end(ChannelError.ioOnClosedChannel)
            context.close(mode: mode, promise: promise)
        case (.output, .closing): promise?.fail(ChannelError.outputClosed)
        case (.output, .handshaking), (.output, .open):
            guard !isOutputEnded else { return promise?.fail(ChannelError.outputClosed) ?? () }
            guard !isInputEnded else { return close(context: context, mode: .all, promise: promise) }
            isOutputEnded = true
            outputEnd = .some(promise)
            flush(context: context)
        case (.all, .open), (.all, .closing): closeAll(context, promise)
        }
    }

    private func closeAll(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        if let promise { context.channel.closeFuture.cascade(to: promise) }
        guard case .open = state else { return }
        let timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.closeTimeout) {
            context.close(promise: nil)
        }
        state = .closing(timer: timer)
        session.end()
        discard(ChannelError.ioOnClosedChannel)
        sendRecords(context)
        if isInputEnded { context.close(promise: nil) } else { context.read() }
    }

    /// Ends the connection, whose peer receives an alert if libssl has one for it.
    private func fail(_ context: ChannelHandlerContext, _ error: TLSError) {
        if case .closed = state { return }
        sendRecords(context)
        end(error)
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }

    private func end(_ error: any Error) {
        if case .closing(let timer) = state { timer.cancel() }
        state = .closed
        discard(error)
    }

    private func discard(_ error: any Error) {
        if case .some(let promise) = outputEnd { promise?.fail(error) }
        outputEnd = nil
        while let write = unsent.popFirst() { write.promise?.fail(error) }
    }
}
