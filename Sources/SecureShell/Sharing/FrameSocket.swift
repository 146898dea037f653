import Core
import Glibc
import NIOCore
import Runtime
import System
import struct System.FileDescriptor

/// A command's end of a socket to a mux server, as two streams of frames.
///
/// It needs no event loop, because creating one takes longer than running a short command on a shared connection. Bytes
/// are read only while a task waits in `receive`, so that a slow reader slows down the writer.
actor FrameSocket {
    private nonisolated let executor: LoopExecutor
    private let socket: FileDescriptor
    private var received = ByteBuffer()
    private var unsent = ByteBuffer()
    private var canReceive = true
    private var canSend = true
    private var silence: SilenceWatch?
    private var nextTick: NIODeadline?
    private var lastArrival = NIODeadline.now()

    /// The number of bytes read at once.
    private static let readBytes = 128 << 10

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Takes ownership of a connected socket.
    init(_ socket: consuming FileDescriptor, executor: LoopExecutor) {
        _ = fcntl(socket.number, F_SETFL, O_NONBLOCK)
        self.socket = socket
        self.executor = executor
    }

    /// Ends both streams; the descriptor is closed when no task uses it any longer.
    func close() {
        canReceive = false
        canSend = false
        shutdown(socket.number, CInt(SHUT_RDWR))
    }

    // MARK: - Receiving

    /// What a task that receives is given.
    enum Reception {
        case frame(MuxFrame)
        /// There are no more frames.
        case ended
        /// The peer has not answered for the time that `limitSilence` sets; the socket is closed.
        case silent
    }

    /// Returns the next frame.
    ///
    /// Calls must not overlap.
    ///
    /// - Throws: `protocol` for an invalid frame; `VTError.cancelled`.
    func receive() async throws(VTError) -> Reception {
        while true {
            if let frame = try received.readFrame() { return .frame(frame) }
            if !canReceive { return .ended }
            if Task.isCancelled { throw .cancelled }
            guard !fill() else { continue }
            let deadline = nextTick?.uptimeNanoseconds
            let isReady = try await executor.poller.wait(for: .readable, on: socket.number, untilUptime: deadline)
            if !isReady, isSilent() { return .silent }
        }
    }

    /// Reads what has arrived; false if nothing has.
    private func fill() -> Bool {
        if received.readableBytes == 0 { received.clear() }
        var failure: CInt = 0
        let count = unsafe received.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.readBytes) { buffer in
            let count = unsafe recv(socket.number, buffer.baseAddress, buffer.count, 0)
            failure = count < 0 ? errno : 0
            return max(0, count)
        }
        switch failure {
        case 0 where count > 0: lastArrival = .now()
        case EAGAIN: return false
        case EINTR: break
        // The peer has closed the socket or was killed.
        default: canReceive = false
        }
        return true
    }

    // MARK: - Sending

    /// Sends frames, and waits until there is room for the next one; does nothing after the peer has closed its end.
    func send(_ frames: MuxFrame...) async {
        guard canSend else { return }
        for frame in frames { unsent.writeBytes(frame.encoded) }
        while write() {
            do throws(VTError) {
                try await executor.poller.wait(for: .writable, on: socket.number)
            } catch {
                // A canceled task no longer needs the peer.
                canSend = false
            }
        }
    }

    /// Writes as much as possible; true if some of it is left.
    private func write() -> Bool {
        while canSend, unsent.readableBytes > 0 {
            var failure: CInt = 0
            unsafe unsent.readWithUnsafeReadableBytes { buffer in
                let count = unsafe Glibc.send(socket.number, buffer.baseAddress, buffer.count, CInt(MSG_NOSIGNAL))
                failure = count < 0 ? errno : 0
                return max(0, count)
            }
            switch failure {
            case 0, EINTR: continue
            case EAGAIN: return true
            default: canSend = false
            }
        }
        unsent.clear()
        return false
    }

    // MARK: - Silence

    /// Closes the socket if the peer does not answer `count` pings, sent at this interval, while a task receives.
    ///
    /// Replaces the previous limit.
    func limitSilence(every interval: Duration, count: Int) {
        let interval = TimeAmount(interval)
        silence = SilenceWatch(interval: interval, count: count)
        nextTick = .now() + interval
    }

    /// Sends a ping if it is time to; returns whether the peer has not answered the last ones.
    private func isSilent() -> Bool {
        guard var watch = silence else { return false }
        let now = NIODeadline.now()
        switch watch.step(at: now, lastAnswer: lastArrival, hasUnreadBytes: false) {
        case .wait(let delay): nextTick = now + delay
        case .ask:
            unsent.writeBytes(MuxFrame.ping.encoded)
            // If the peer does not read, the rest is sent with the next frame.
            _ = write()
            watch.recordRequest(at: now)
            nextTick = now + watch.interval
        case .giveUp:
            close()
            return true
        }
        silence = watch
        return false
    }
}

extension ByteBuffer {
    /// Removes and returns the next frame; nil if it is not complete.
    ///
    /// - Throws: `protocol` when it is not a frame.
    mutating func readFrame() throws(VTError) -> MuxFrame? {
        guard let length: UInt32 = getInteger(at: readerIndex) else { return nil }
        guard length >= 1, length <= UInt32(MuxFrame.limitBytes) else {
            throw VTError(.protocolViolation, "a frame of \(length) bytes on a shared connection exceeds the limit")
        }
        guard readableBytes >= 4 + Int(length) else { return nil }
        moveReaderIndex(forwardBy: 4)
        guard let kind: UInt8 = readInteger(), let payload = readBytes(length: Int(length) - 1),
            let frame = MuxFrame(kind: kind, payload: payload)
        else { throw VTError(.protocolViolation, "received a malformed frame on a shared connection") }
        return frame
    }
}
