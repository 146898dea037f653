import Core
import POSIX
import Synchronization

/// What all targets of a run keep together until the end: so much in memory, the rest in one temporary file.
final class GatherSpool: Sendable {
    /// The file and how much of it is written.
    private struct State {
        var file: SpoolFile?
        var size: Int64 = 0
        /// Bytes of output in memory.
        var memoryBytes = 0
    }

    /// How much output the targets of one run keep in memory; what comes beyond it goes to the file.
    static let memoryLimitBytes = 32 << 20

    private let state = Mutex(State())

    /// Reserves memory for so many bytes; false when there is not so much left.
    func reserve(_ count: Int) -> Bool {
        state.withLock { state in
            guard state.memoryBytes + count <= Self.memoryLimitBytes else { return false }
            state.memoryBytes += count
            return true
        }
    }

    /// Gives reserved memory back.
    func release(_ count: Int) {
        state.withLock { $0.memoryBytes -= count }
    }

    /// Adds bytes to the file, which is made with the first ones, and returns where they begin.
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

    /// Reads at most `limit` bytes of the file at an offset.
    func read(at offset: Int64, limit: Int) throws(VTError) -> [UInt8] {
        guard let file = state.withLock({ $0.file }) else { return [] }
        return try file.read(at: offset, limit: limit)
    }
}
