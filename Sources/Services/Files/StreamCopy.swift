import Core
import Runtime

/// Writes a stream to a file, with several writes in progress at the same time.
struct StreamCopy: Sendable {
    let input: any ByteSource
    let output: any RandomAccessFile
    let observer: any CopyObserver

    /// The maximum number of writes in progress.
    private static let window = 32

    /// - Returns: The length of the output.
    /// - Throws: `io`; errors of the stream; connection errors; `cancelled`.
    func copy() async throws(VTError) -> UInt64 {
        try await withTasks(of: VTError?.self) { group throws(VTError) in try await copy(in: &group) }
    }

    private func copy(in group: inout TaskGroup<VTError?>) async throws(VTError) -> UInt64 {
        var offset: UInt64 = 0
        var running = 0
        var buffer: [UInt8] = []
        var isEnded = false
        while !isEnded {
            if let bytes = try await input.read() { buffer += bytes } else { isEnded = true }
            while buffer.count >= FileChunk.bytes || isEnded && !buffer.isEmpty {
                if running == (output.isSequential ? 1 : Self.window) {
                    try await Self.finishOne(in: &group)
                    running -= 1
                }
                let chunk = Array(buffer.prefix(FileChunk.bytes))
                let start = offset
                buffer.removeFirst(chunk.count)
                offset += UInt64(chunk.count)
                running += 1
                group.addTask { await write(chunk, at: start) }
            }
        }
        for _ in 0..<running { try await Self.finishOne(in: &group) }
        return offset
    }

    private static func finishOne(in group: inout TaskGroup<VTError?>) async throws(VTError) {
        if let failure = await group.next() ?? nil { throw failure }
    }

    private func write(_ bytes: [UInt8], at offset: UInt64) async -> VTError? {
        do throws(VTError) {
            try await output.write(bytes, at: offset)
            observer.transferred(bytes: UInt64(bytes.count))
            return nil
        } catch {
            return error
        }
    }
}
