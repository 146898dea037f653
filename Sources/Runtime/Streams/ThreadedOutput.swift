import Core
import Glibc
import System

/// Writes to any kind of descriptor on a dedicated thread, through a queue of bounded size.
///
/// If the reader stalls, writing tasks are suspended, but no event loop is blocked. The thread starts with the first
/// write.
package final class ThreadedOutput: OutputQueue {
    /// Which failed writes are not errors: their bytes are discarded.
    package enum Loss: Sendable {
        case none
        /// Writes to a descriptor that was closed when the process started, which `StandardStream.occupyClosed` opens for
        /// reading only.
        case ofClosedStream
        /// All writes except those to a pipe without a reader.
        case any
    }

    private struct State {
        var chunks: [[UInt8]] = []
        /// Queued bytes that have not been written yet.
        var pendingBytes = 0
        var writtenBytes: UInt64 = 0
        var isStarted = false
        var isFinishing = false
        var isDone = false
        /// The errno of the first failed write.
        var failure: CInt = 0
    }

    private let descriptor: CInt
    private let closesDescriptor: Bool
    private let loss: Loss
    private let name: String
    private let monitor = Monitor(State())
    private let work = Semaphore()

    private static let queueLimitBytes = 1 << 20
    /// The cost of a queued chunk in addition to its bytes, to bound the number of small chunks.
    private static let chunkOverheadBytes = 64
    /// The number of bytes to write to a terminal at once, as the kernel does itself (drivers/tty/tty_io.c), so that
    /// `writtenBytes` increases even if the terminal is slow.
    private static let terminalPieceBytes = 2048

    /// Writes to `descriptor`, which must stay open; with `closesDescriptor`, `finish` closes it.
    ///
    /// `name` is the destination in the message `cannot write NAME`.
    package init(_ descriptor: CInt, name: String, closesDescriptor: Bool = false, allowing loss: Loss = .none) {
        self.loss = loss
        self.descriptor = descriptor
        self.closesDescriptor = closesDescriptor
        self.name = name
    }

    /// Whether a write failed because the pipe no longer has a reader (EPIPE).
    package var hasLostReader: Bool {
        monitor.withLock { $0.failure == EPIPE }
    }

    package var writtenBytes: UInt64 {
        monitor.withLock(\.writtenBytes)
    }

    package func write(_ bytes: [UInt8]) async throws(VTError) {
        guard !bytes.isEmpty else { return }
        try start()
        let failure = try await monitor.wait { state -> CInt? in
            guard state.failure == 0 else { return state.failure }
            guard state.pendingBytes < Self.queueLimitBytes else { return nil }
            state.chunks.append(bytes)
            state.pendingBytes += bytes.count + Self.chunkOverheadBytes
            return 0
        }
        try check(failure)
        work.signal()
    }

    /// Waits until all bytes are written; there must be no concurrent writes.
    package func drain() async throws(VTError) {
        try check(await monitor.wait { $0.pendingBytes == 0 || $0.failure != 0 ? $0.failure : nil })
    }

    /// Waits until all bytes are written, and ends the thread; closes an owned descriptor.
    package func finish() async throws(VTError) {
        end()
        try check(await monitor.wait { $0.isDone ? $0.failure : nil })
    }

    /// Ends the thread once all bytes are written, without waiting; no further writes are allowed.
    package func end() {
        let (isFirst, isStarted) = monitor.update { state in
            defer {
                state.isFinishing = true
                if !state.isStarted { state.isDone = true }
            }
            return (!state.isFinishing, state.isStarted)
        }
        if isStarted {
            work.signal()
        } else if isFirst, closesDescriptor {
            close(descriptor)
        }
    }

    private func check(_ failure: CInt) throws(VTError) {
        guard failure == 0 else { throw .system(failure, "cannot write \(name)") }
    }

    private func start() throws(VTError) {
        try monitor.withLock { state throws(VTError) in
            guard !state.isStarted else { return }
            try startThread { self.writeToEnd() }
            state.isStarted = true
        }
    }

    private func writeToEnd() {
        // Only standard output may end the process with SIGPIPE; for other pipes, the error of the write is enough.
        if closesDescriptor { SignalThread.block(SIGPIPE) }
        let pieceBytes = isatty(descriptor) == 1 ? Self.terminalPieceBytes : Int.max
        while true {
            work.wait()
            let (chunks, isFinishing) = monitor.withLock { state in
                defer { state.chunks = [] }
                return (state.chunks, state.isFinishing)
            }
            for chunk in chunks { write(chunk, pieceBytes) }
            if chunks.isEmpty && isFinishing { break }
        }
        if closesDescriptor { close(descriptor) }
        monitor.update { $0.isDone = true }
    }

    /// Whether a write may end with this errno.
    private func isAllowed(_ failure: CInt) -> Bool {
        switch loss {
        case .none: failure == 0
        case .ofClosedStream: failure == 0 || failure == EBADF
        case .any: failure != EPIPE
        }
    }

    /// Writes a chunk; after a failure, drops it, because nothing may be written after missing bytes.
    private func write(_ chunk: [UInt8], _ pieceBytes: Int) {
        var failure = monitor.withLock(\.failure)
        var rest = chunk[...]
        while failure == 0, !rest.isEmpty {
            let piece = rest.prefix(pieceBytes)
            failure = BlockingIO.write(descriptor, piece)
            guard failure == 0 else { break }
            rest = rest.dropFirst(piece.count)
            monitor.withLock { $0.writtenBytes += UInt64(piece.count) }
        }
        monitor.update { state in
            state.pendingBytes -= chunk.count + Self.chunkOverheadBytes
            if !isAllowed(failure) { state.failure = failure }
        }
    }
}
