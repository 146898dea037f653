import Core
import Synchronization
import System

/// The storage for the output of all targets in a run: a limited part in memory, the rest in one temporary file.
final class GatherSpool: Sendable {
    /// The file, the number of bytes written to it, and the memory in use.
    private struct State {
        var file: SpoolFile?
        var size: Int64 = 0
        /// Bytes of output in memory.
        var memoryBytes = 0
    }

    /// The maximum amount of a run's output to keep in memory; the rest goes to the file.
    static let memoryLimitBytes = 32 << 20

    private let state = Mutex(State())

    /// Adds `count` bytes to the memory in use; returns false if that would exceed the limit.
    func reserve(_ count: Int) -> Bool {
        state.withLock { state in
            guard state.memoryBytes + count <= Self.memoryLimitBytes else { return false }
            state.memoryBytes += count
            return true
        }
    }

    /// Subtracts `count` bytes from the memory in use.
    func release(_ count: Int) {
        state.withLock { $0.memoryBytes -= count }
    }

    /// Appends bytes to the file, which is created when needed, and returns their offset.
    ///
    /// - Throws: `cannot-create` or `io`.
    func append(_ bytes: [UInt8]) throws(VTError) -> Int64 {
        try state.withLock { state throws(VTError) in
            let file: SpoolFile
            if let present = state.file {
                file = present
            } else {
                file = try SpoolFile()
                state.file = file
            }
            try file.append(bytes)
            defer { state.size += Int64(bytes.count) }
            return state.size
        }
    }

    /// Reads at most `limit` bytes at an offset of the file.
    func read(at offset: Int64, limit: Int) throws(VTError) -> [UInt8] {
        guard let file = state.withLock({ $0.file }) else { return [] }
        return try file.read(at: offset, limit: limit)
    }
}
