import Core
import Glibc

/// Writes to a descriptor of any kind on a thread of its own, behind a queue of bounded size.
///
/// A reader that stalls stops the writer, never the event loop. The thread starts with the first write.
package final class ThreadedOutput: ByteSink {
    private struct State {
        var chunks: [[UInt8]] = []
        /// Bytes taken and not yet written.
        var pendingBytes = 0
        var isStarted = false
        var isFinishing = false
        var isDone = false
        /// The errno of the first failed write.
        var failure: CInt = 0
    }

    private let descriptor: CInt
    private let closesDescriptor: Bool
    private let mayBeClosed: Bool
    private let name: String
    private let monitor = Monitor(State())
    private let work = Semaphore()

    private static let queueLimitBytes = 1 << 20
    /// What a queued chunk costs beyond its bytes; many small ones are bounded by it.
    private static let chunkOverheadBytes = 64

    /// Writes to `descriptor`, which must stay open; with `closesDescriptor` it is closed by `finish`.
    ///
    /// `name` is what messages call it. With `mayBeClosed` the bytes for a descriptor that the process was started
    /// without are dropped; `StandardStream.occupyClosed` leaves it open for reading only.
    package init(_ descriptor: CInt, name: String, closesDescriptor: Bool = false, mayBeClosed: Bool = false) {
        self.mayBeClosed = mayBeClosed
        self.descriptor = descriptor
        self.closesDescriptor = closesDescriptor
        self.name = name
    }

    /// Whether a write failed because nobody reads any more (EPIPE).
    package var hasLostReader: Bool {
        monitor.withLock { $0.failure == EPIPE }
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

    /// Waits until all bytes are written; nobody else writes meanwhile.
    package func drain() async throws(VTError) {
        try check(await monitor.wait { $0.pendingBytes == 0 || $0.failure != 0 ? $0.failure : nil })
    }

    /// Waits until all bytes are written, and ends the thread; the descriptor is closed when it is ours.
    package func finish() async throws(VTError) {
        end()
        try check(await monitor.wait { $0.isDone ? $0.failure : nil })
    }

    /// Lets the thread end once all bytes are written, without waiting for it; there can be no further write.
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
        let isFirst = monitor.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        if isFirst { try startThread { self.writeToEnd() } }
    }

    private func writeToEnd() {
        while true {
            work.wait()
            let (chunks, isFinishing) = monitor.withLock { state in
                defer { state.chunks = [] }
                return (state.chunks, state.isFinishing)
            }
            for chunk in chunks { write(chunk) }
            if chunks.isEmpty && isFinishing { break }
        }
        if closesDescriptor { close(descriptor) }
        monitor.update { $0.isDone = true }
    }

    /// After a failure the rest is dropped: the writer has been told, and no byte may follow a gap.
    private func write(_ chunk: [UInt8]) {
        let isBroken = monitor.withLock { $0.failure != 0 }
        let failure = isBroken ? 0 : BlockingIO.write(descriptor, chunk)
        monitor.update { state in
            state.pendingBytes -= chunk.count + Self.chunkOverheadBytes
            if failure != 0, failure != EBADF || !mayBeClosed { state.failure = failure }
        }
    }
}
