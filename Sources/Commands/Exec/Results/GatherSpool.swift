import Core
import Synchronization
import System

/// The storage for the output of all targets in a run: one temporary file.
final class GatherSpool: Sendable {
    /// The file, and the number of bytes written to it.
    private struct State {
        var file: SpoolFile?
        var size: Int64 = 0
    }

    private let state = Mutex(State())

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
