import Core
import Glibc
import System

/// Reads any kind of descriptor on a dedicated thread, a bounded amount ahead of the reader.
///
/// Standard input can be a file, for which event loops cannot wait, and other programs share its open file description,
/// so it cannot be made non-blocking. The thread starts with the first read.
package final class ThreadedInput: ByteSource {
    private struct State {
        var chunks: [[UInt8]] = []
        var isStarted = false
        var isEnded = false
        var failure: VTError?
    }

    private let descriptor: CInt
    private let closesDescriptor: Bool
    /// Whether to poll first: a FIFO that has not been opened for writing yet reads as empty, but poll(2) waits
    /// (fifo(7)).
    private let waitsForWriter: Bool
    private let monitor = Monitor(State())
    private let room = Semaphore()

    private static let chunkBytes = 128 * 1024
    private static let chunksAhead = 3
    /// Major number 1, minor number 3 (null(4)), as makedev(3) combines them.
    private static let nullDevice: dev_t = 1 << 8 | 3

    /// Reads `descriptor`, which must stay open; with `closesDescriptor`, it is closed when the input ends.
    package convenience init(_ descriptor: CInt, closesDescriptor: Bool = false) {
        self.init(descriptor, closesDescriptor: closesDescriptor, waitsForWriter: false)
    }

    /// Opens a file; the first read of a FIFO waits for a writer, like open(2), but can be canceled.
    ///
    /// - Throws: Errors thrown by `FileDescriptor.open`.
    package convenience init(path: String) throws(VTError) {
        let file = try FileDescriptor.open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK)
        self.init(file.release(), closesDescriptor: true, waitsForWriter: true)
    }

    private init(_ descriptor: CInt, closesDescriptor: Bool, waitsForWriter: Bool) {
        self.descriptor = descriptor
        self.closesDescriptor = closesDescriptor
        self.waitsForWriter = waitsForWriter
    }

    package func read() async throws(VTError) -> [UInt8]? {
        try start()
        let (chunk, failure) = try await monitor.wait { state -> ([UInt8]?, VTError?)? in
            if !state.chunks.isEmpty { return (state.chunks.removeFirst(), nil) }
            return state.isEnded ? (nil, state.failure) : nil
        }
        if let failure { throw failure }
        if chunk != nil { room.signal() }
        return chunk
    }

    private func start() throws(VTError) {
        try monitor.withLock { state throws(VTError) in
            guard !state.isStarted else { return }
            if isNullDevice {
                if closesDescriptor { close(descriptor) }
                state.isEnded = true
            } else {
                try startThread { self.readToEnd() }
                for _ in 0..<Self.chunksAhead { room.signal() }
            }
            state.isStarted = true
        }
    }

    /// Whether the descriptor is `/dev/null`, the usual input of commands in scripts, which needs no thread.
    private var isNullDevice: Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return false }
        return status.st_rdev == Self.nullDevice
    }

    private func readToEnd() {
        var isEnded = false
        if waitsForWriter { BlockingIO.wait(descriptor, for: POLLIN) }
        while !isEnded {
            room.wait()
            do throws(VTError) {
                let chunk = try BlockingIO.read(descriptor, limit: Self.chunkBytes)
                isEnded = chunk.isEmpty
                monitor.update { state in
                    if chunk.isEmpty { state.isEnded = true } else { state.chunks.append(chunk) }
                }
            } catch {
                isEnded = true
                monitor.update { state in
                    state.isEnded = true
                    state.failure = error
                }
            }
        }
        if closesDescriptor { close(descriptor) }
    }
}
