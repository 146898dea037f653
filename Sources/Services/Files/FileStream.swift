import Core
import Runtime

/// Reads a file from its start, with several reads in progress at the same time.
struct FileStream {
    private let file: any RandomAccessFile
    /// The expected size; a file whose actual size differs, such as one in /proc, is still read to its end.
    private let sizeBytes: UInt64
    /// The maximum number of bytes to read.
    private let limitBytes: UInt64

    /// The maximum number of reads in progress, which is enough for 50 MiB/s at a round-trip time of 40 ms.
    private static let window = 16

    private typealias Chunk = (offset: UInt64, result: Result<[UInt8], VTError>)

    init(_ file: any RandomAccessFile, sizeBytes: UInt64, limitBytes: UInt64 = .max) {
        self.file = file
        self.sizeBytes = sizeBytes
        self.limitBytes = limitBytes
    }

    /// Writes the bytes to a sink, in order.
    ///
    /// - Throws: Errors of the file and of the sink.
    func write(to sink: any ByteSink) async throws(VTError) {
        try await withTasks(of: Chunk.self) { group throws(VTError) in try await write(to: sink, in: &group) }
    }

    private func write(to sink: any ByteSink, in group: inout TaskGroup<Chunk>) async throws(VTError) {
        var requested: UInt64 = 0
        var delivered: UInt64 = 0
        /// The chunks that have arrived before their predecessors.
        var early: [UInt64: Result<[UInt8], VTError>] = [:]
        while true {
            // The first read beyond the expected size is issued alone, because it usually reaches the end.
            while requested < limitBytes,
                requested == delivered
                    || requested < sizeBytes && !file.isSequential && isOpen(requested, delivered)
            {
                let offset = requested
                let count = Int(min(UInt64(FileChunk.bytes), limitBytes - offset))
                group.addTask {
                    // Fewer bytes only at the end of the file.
                    (
                        offset,
                        await Result { () async throws(VTError) in try await file.readFully(at: offset, count: count) }
                    )
                }
                requested += UInt64(count)
            }
            guard requested > delivered else { return }
            while early[delivered] == nil, let chunk = await group.next() { early[chunk.offset] = chunk.result }
            guard let bytes = try early.removeValue(forKey: delivered)?.get() else { return }
            try await sink.write(bytes)
            let expected = min(UInt64(FileChunk.bytes), limitBytes - delivered)
            guard bytes.count == expected else { return }
            delivered += expected
        }
    }

    private func isOpen(_ requested: UInt64, _ delivered: UInt64) -> Bool {
        requested - delivered < UInt64(Self.window * FileChunk.bytes)
    }
}

extension RandomAccessFile {
    /// Closes a file that need not be changed.
    ///
    /// - Throws: `io`, if an earlier write failed.
    func close() async throws(VTError) {
        _ = try await close(after: FileAttributeChanges())
    }

    /// Reads `count` bytes; fewer only at the end of the file.
    func readFully(at offset: UInt64, count: Int) async throws(VTError) -> [UInt8] {
        var bytes = try await read(at: offset, limit: count)
        while !bytes.isEmpty, bytes.count < count {
            let more = try await read(at: offset + UInt64(bytes.count), limit: count - bytes.count)
            guard !more.isEmpty else { break }
            bytes += more
        }
        return bytes
    }
}
