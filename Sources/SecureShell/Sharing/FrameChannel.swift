import Core
import NIOCore
import Runtime

/// A keeper's end of a socket to a command, as two streams of frames, on the event loop.
///
/// Bytes are read only while a task waits in `receive`, so that a slow reader slows down the writer.
actor FrameChannel {
    nonisolated let executor: LoopExecutor
    private let channel: any Channel
    private let handler = FrameHandler()
    private var reader: CheckedContinuation<Void, Never>?
    private var writers: [CheckedContinuation<Void, Never>] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Takes ownership of a connected channel that has not started reading.
    init(_ channel: any Channel, executor: LoopExecutor) {
        self.channel = channel
        self.executor = executor
    }

    /// Starts exchanging frames.
    func start() throws(VTError) {
        handler.onEvent = { [weak self] in
            self?.assumeIsolated { $0.wake() }
        }
        do {
            try channel.pipeline.syncOperations.addHandler(handler)
        } catch {
            throw VTError(.internal, "cannot use a shared connection", causes: ["\(error)"])
        }
    }

    func close() {
        channel.close(promise: nil)
        wake()
    }

    // MARK: - Frames

    /// Returns the next frame, or nil after the last one.
    ///
    /// Calls must not overlap.
    ///
    /// - Throws: `protocol` for an invalid frame; `VTError.cancelled`.
    func receive() async throws(VTError) -> KeeperFrame? {
        while true {
            if let frame = try handler.next() { return frame }
            if handler.isEnded { return nil }
            if Task.isCancelled { throw .cancelled }
            handler.read()
            await withTaskCancellationHandler {
                await withCheckedContinuation { reader = $0 }
            } onCancel: {
                channel.eventLoop.execute { self.assumeIsolated { $0.wake() } }
            }
        }
    }

    /// Sends a frame, and waits until there is room for the next one; does nothing after the peer has closed its end.
    func send(_ frame: KeeperFrame) async {
        await send(frame.encoded, [])
    }

    /// Sends a frame without waiting for room; for short frames only.
    func post(_ frame: KeeperFrame) {
        guard !handler.isEnded else { return }
        channel.writeAndFlush(ByteBuffer(bytes: frame.encoded), promise: nil)
    }

    /// Sends a stream's bytes, in frames of at most `KeeperFrame.chunkBytes`.
    func sendOutput(_ bytes: [UInt8], isError: Bool) async {
        var rest = bytes[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(KeeperFrame.chunkBytes)
            rest = rest.dropFirst(chunk.count)
            await send(KeeperFrame.outputHead(isError: isError, count: chunk.count), chunk)
        }
    }

    private func send(_ head: [UInt8], _ payload: ArraySlice<UInt8>) async {
        guard !handler.isEnded else { return }
        var buffer = channel.allocator.buffer(capacity: head.count + payload.count)
        buffer.writeBytes(head)
        buffer.writeBytes(payload)
        channel.writeAndFlush(buffer, promise: nil)
        while !channel.isWritable, !handler.isEnded, !Task.isCancelled {
            await withTaskCancellationHandler {
                await withCheckedContinuation { writers.append($0) }
            } onCancel: {
                channel.eventLoop.execute { self.assumeIsolated { $0.wake() } }
            }
        }
    }

    private func wake() {
        reader?.resume()
        reader = nil
        let waiting = writers
        writers = []
        for writer in waiting { writer.resume() }
    }
}

/// Collects the bytes that arrive, and splits them into frames.
private final class FrameHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// Called when bytes arrive, there is room to send, or the peer has closed its end.
    var onEvent: (() -> Void)?
    private(set) var isEnded = false
    private var received = ByteBuffer()
    private var isReadPending = false
    private var context: ChannelHandlerContext?

    /// Returns the next complete frame, or nil if more bytes are needed.
    func next() throws(VTError) -> KeeperFrame? {
        try received.readFrame()
    }

    func read() {
        guard !isReadPending, !isEnded else { return }
        isReadPending = true
        context?.read()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        isEnded = true
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if received.readableBytes == 0 {
            received = bytes
        } else {
            received.discardReadBytes()
            received.writeBuffer(&bytes)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReadPending = false
        onEvent?()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        onEvent?()
    }

    func channelInactive(context: ChannelHandlerContext) {
        isEnded = true
        onEvent?()
    }

    /// The channel closes after an error, which `channelInactive` reports.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
