import Core

/// An open file on a server.
struct SFTPFile: RandomAccessFile {
    let client: SFTPClient
    let handle: SFTPHandle
    let path: ByteString
    /// Whether the file is open for writing.
    let isWritable: Bool

    func read(at offset: UInt64, limit: Int) async throws(VTError) -> [UInt8] {
        let reply = try await client.perform(.read(handle, offset: offset, length: UInt32(clamping: limit)))
        try client.check(handle, doing: "cannot read '\(path.repairedText)'")
        switch reply {
        case .data(let bytes) where !bytes.isEmpty && bytes.count <= limit: return bytes
        case .status(let status) where status.code == .endOfFile: return []
        default: throw client.unexpected(reply, doing: "cannot read '\(path.repairedText)'")
        }
    }

    /// The number of bytes that every server accepts in a write (draft-ietf-secsh-filexfer-02 §3).
    private static let commonWriteBytes = 32 << 10

    func write(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) {
        if bytes.count <= Self.commonWriteBytes || client.supports(.limits) {
            return try await client.complete(.write(handle, offset: offset, bytes: bytes), doing: failedWrite)
        }
        guard !Task.isCancelled else { throw .cancelled }
        let pieces = stride(from: 0, to: bytes.count, by: Self.commonWriteBytes).map { start in
            let piece = Array(bytes[start...].prefix(Self.commonWriteBytes))
            return client.submit(.write(handle, offset: offset + UInt64(start), bytes: piece))
        }
        for piece in pieces { try client.check(await client.reply(piece), doing: failedWrite) }
    }

    /// SFTP does not report holes.
    func data(from offset: UInt64) async throws(VTError) -> Range<UInt64>? {
        offset..<UInt64.max
    }

    func attributes() async throws(VTError) -> FileAttributes {
        let reply = try await client.perform(.openFileAttributes(handle))
        guard case .attributes(let attributes) = reply else {
            throw client.unexpected(reply, doing: "cannot examine '\(path.repairedText)'")
        }
        return attributes
    }

    func close(after changes: FileAttributeChanges, needsAttributes: Bool) async throws(VTError) -> ClosedFile {
        // Sent together, to save round trips, and even if the task has been canceled.
        let change = changes.isEmpty ? nil : client.submit(.changeOpenFile(handle, changes))
        let close = client.close(handle)
        // No server with this extension of OpenSSH is known to lose data silently.
        let isExamined = isWritable && (needsAttributes || !client.supports(.limits))
        let examination = isExamined ? client.submit(.attributes(path, followsLinks: false)) : nil
        var closed = ClosedFile()
        if let change, try await client.failure(client.reply(change), doing: failedChange) != nil {
            // Some servers change attributes only by path.
            let reply = try await client.perform(.change(path, changes))
            closed.failedChange = client.failure(reply, doing: failedChange)
        }
        if let close { try client.check(await client.reply(close), doing: failedWrite) }
        // The contents of another file may have been written to this one.
        if isWritable { try client.check(handle, doing: failedWrite) }
        guard let examination else { return closed }
        closed.attributes = try await client.reply(examination).attributes
        return closed
    }

    private var failedChange: String {
        "cannot change the attributes of '\(path.repairedText)'"
    }

    private var failedWrite: String {
        "cannot write '\(path.repairedText)'"
    }
}
