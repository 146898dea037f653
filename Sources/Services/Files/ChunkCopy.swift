import Core
import Runtime

/// Copies the contents of one file to another, with many chunks in progress at the same time.
struct ChunkCopy: Sendable {
    /// The name of the input in messages.
    let name: String
    let input: any RandomAccessFile
    let output: any RandomAccessFile
    let window: TransferWindow
    let observer: any CopyObserver

    /// A chunk that has been read, and written unless it consists of zeros.
    private struct Chunk {
        var count: Int
        var isWritten: Bool
    }

    private typealias Outcome = (offset: UInt64, result: Result<Chunk, VTError>)

    private var isSequential: Bool { input.isSequential || output.isSequential }

    /// The maximum distance between the first byte that has not been copied and the last one that has.
    private static let reachBytes = UInt64(TransferWindow.limitBytes)

    /// Returns the offset up to which an incomplete file of this length is certainly complete.
    static func resumePoint(forLength length: UInt64) -> UInt64 {
        guard length > reachBytes else { return 0 }
        return (length - reachBytes) / UInt64(FileChunk.bytes) * UInt64(FileChunk.bytes)
    }

    /// Copies the bytes from `start` to the end of the file, except for holes and zeros, which the output already
    /// contains.
    ///
    /// A file of size 0, such as those in /proc, is read to its end; other files, up to their size.
    ///
    /// - Returns: The length of the output.
    /// - Throws: `io`; connection errors; `cancelled`.
    func copy(from start: UInt64, sizeBytes: UInt64) async throws(VTError) -> UInt64 {
        observer.transferred(bytes: start)
        guard sizeBytes > 0 else { return try await copyUnsized() }
        if sizeBytes - start <= UInt64(FileChunk.bytes) {
            let chunk = try await copyChunk(at: start, count: Int(sizeBytes - start))
            if start + UInt64(chunk.count) < sizeBytes { try await checkEnd(sizeBytes) }
            return try await end(at: start + UInt64(chunk.count), isWritten: chunk.isWritten)
        }
        await input.prepare(forBytes: sizeBytes - start)
        await output.prepare(forBytes: sizeBytes - start)
        return try await withTasks(of: Outcome.self) { group throws(VTError) in
            try await copyChunks(from: start, to: sizeBytes, in: &group)
        }
    }

    /// Ends the output at its length with a zero, unless it has been written up to there.
    private func end(at length: UInt64, isWritten: Bool) async throws(VTError) -> UInt64 {
        if !isWritten, length > 0 { try await output.write([0], at: length - 1) }
        return length
    }

    private func copyChunks(
        from start: UInt64,
        to end: UInt64,
        in group: inout TaskGroup<Outcome>
    ) async throws(VTError) -> UInt64 {
        var next = start
        var extent = start..<start
        /// The sizes of the chunks in progress, by their offsets.
        var running: [UInt64: Int] = [:]
        defer { window.release(running.values.reduce(0, +)) }
        var writtenEnd: UInt64 = 0
        /// The end of the input, if it is before the expected end.
        var length = end
        while true {
            while next < length {
                if next >= extent.upperBound {
                    let found = output.isSequential ? next..<length : try await input.data(from: next)
                    guard let found else {
                        // Beyond the end of a file that has become shorter, there is no data either.
                        try await checkSize(end)
                        observer.transferred(bytes: length - min(next, length))
                        next = length
                        break
                    }
                    extent = found
                    observer.transferred(bytes: min(found.lowerBound, length) - next)
                    next = min(found.lowerBound, length)
                    guard next < length else { break }
                }
                let count = Int(min(UInt64(FileChunk.bytes), min(extent.upperBound, length) - next))
                let first = running.keys.min() ?? next
                guard !isSequential || running.isEmpty, next - first < Self.reachBytes,
                    window.admits(count, isOnly: running.isEmpty)
                else { break }
                let offset = next
                running[offset] = count
                next += UInt64(count)
                group.addTask {
                    (offset, await Result { () async throws(VTError) in try await copyChunk(at: offset, count: count) })
                }
            }
            guard let (offset, result) = await group.next() else {
                return try await self.end(at: length, isWritten: writtenEnd == length)
            }
            let requested = running.removeValue(forKey: offset) ?? 0
            window.release(requested)
            let chunk = try result.get()
            if chunk.isWritten { writtenEnd = max(writtenEnd, offset + UInt64(chunk.count)) }
            if chunk.count < requested {
                try await checkEnd(end)
                length = min(length, offset + UInt64(chunk.count))
            }
        }
    }

    /// Copies a chunk, which has fewer than `count` bytes only at the end of the input.
    private func copyChunk(at offset: UInt64, count: Int) async throws(VTError) -> Chunk {
        let bytes = try await input.readFully(at: offset, count: count)
        let isWritten = !bytes.isEmpty && (output.isSequential || !bytes.isAllZeros)
        if isWritten { try await output.write(bytes, at: offset) }
        observer.transferred(bytes: UInt64(bytes.count))
        return Chunk(count: bytes.count, isWritten: isWritten)
    }

    /// The largest size of a page of memory, which files in /sys report instead of their own size.
    private static let pageLimitBytes: UInt64 = 64 << 10

    /// Checks that the input still has its size.
    private func checkSize(_ expected: UInt64) async throws(VTError) {
        let size = try await input.attributes().sizeBytes ?? expected
        guard size >= expected else { throw VTError(.io, "'\(name)' shrank while it was being copied") }
    }

    /// Checks that an input that ended early is one of those in /sys.
    private func checkEnd(_ expected: UInt64) async throws(VTError) {
        try await checkSize(expected)
        guard expected.nonzeroBitCount == 1, expected <= Self.pageLimitBytes else {
            throw VTError(.io, "cannot read '\(name)': it ends before its size of \(expected) bytes")
        }
    }

    private func copyUnsized() async throws(VTError) -> UInt64 {
        var offset: UInt64 = 0
        var writtenEnd: UInt64 = 0
        while true {
            let chunk = try await copyChunk(at: offset, count: FileChunk.bytes)
            offset += UInt64(chunk.count)
            if chunk.isWritten { writtenEnd = offset }
            guard chunk.count == FileChunk.bytes else {
                return try await end(at: offset, isWritten: writtenEnd == offset)
            }
        }
    }
}

extension [UInt8] {
    /// Whether all bytes are zeros, so that a hole is equivalent.
    fileprivate var isAllZeros: Bool {
        guard first == 0, last == 0 else { return false }
        return !contains { $0 != 0 }
    }
}
