import Core
import NIOCore
import Runtime

/// A mux server's end of a socket to a command, as two streams of frames, on the event loop.
///
/// Bytes are read only while a task waits in `receive`, so that a slow reader slows down the writer.
actor FrameChannel {
    nonisolated let executor: LoopExecutor
    private let channel: any Channel
    private let stream: LocalStream
    private var received = ByteBuffer()
    /// Updated when bytes arrive, there is room to send, or the peer has closed its end.
    private let events = Monitor(())

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Takes ownership of a connected channel that has not started reading; must be called on its event loop.
    init(_ channel: any Channel, executor: LoopExecutor) throws(VTError) {
        self.channel = channel
        self.executor = executor
        stream = try LocalStream.added(to: channel)
        stream.onEvent = { [events] in events.update { _ in } }
    }

    func close() {
        channel.close(promise: nil)
    }

    // MARK: - Frames

    /// Returns the next frame, or nil after the last one.
    ///
    /// Calls must not overlap.
    ///
    /// - Throws: `protocol` for an invalid frame; `VTError.cancelled`.
    func receive() async throws(VTError) -> MuxFrame? {
        while true {
            if let frame = try received.readFrame() { return frame }
            if var bytes = stream.takeBytes() {
                received.discardReadBytes()
                received.writeBuffer(&bytes)
                continue
            }
            if stream.isEnded { return nil }
            if Task.isCancelled { throw .cancelled }
            stream.read()
            await events.waitForUpdate()
        }
    }

    /// Sends a frame, and waits until there is room for the next one; does nothing after the peer has closed its end.
    func send(_ frame: MuxFrame) async {
        await send(frame.encoded, [])
    }

    /// Sends a frame without waiting for room; for short frames only.
    func post(_ frame: MuxFrame) {
        guard !stream.isEnded else { return }
        channel.writeAndFlush(ByteBuffer(bytes: frame.encoded), promise: nil)
    }

    /// Sends the steps of a connection, which are reported on the event loop.
    nonisolated var observer: ConnectionObserver {
        { name, step in self.assumeIsolated { $0.post(.step(name: name, step)) } }
    }

    /// Sends a stream's bytes, in frames of at most `MuxFrame.chunkBytes`.
    func sendOutput(_ bytes: [UInt8], isError: Bool) async {
        var rest = bytes[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(MuxFrame.chunkBytes)
            rest = rest.dropFirst(chunk.count)
            await send(MuxFrame.outputHead(isError: isError, count: chunk.count), chunk)
        }
    }

    private func send(_ head: [UInt8], _ payload: ArraySlice<UInt8>) async {
        guard !stream.isEnded else { return }
        var buffer = channel.allocator.buffer(capacity: head.count + payload.count)
        buffer.writeBytes(head)
        buffer.writeBytes(payload)
        channel.writeAndFlush(buffer, promise: nil)
        while !channel.isWritable, !stream.isEnded, !Task.isCancelled {
            await events.waitForUpdate()
        }
    }
}
