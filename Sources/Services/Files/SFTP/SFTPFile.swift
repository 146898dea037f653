import Core

/// An open file on a server.
struct SFTPFile: RandomAccessFile {
    let client: SFTPClient
    let handle: SFTPHandle
    /// The path in messages.
    let path: ByteString

    func read(at offset: UInt64, limit: Int) async throws(VTError) -> [UInt8] {
        let reply = try await client.perform(.read(handle, offset: offset, length: UInt32(clamping: limit)))
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

    func close(after changes: FileAttributeChanges) async throws(VTError) {
        // Sent together, to save a round trip, and even if the task has been canceled.
        let change = changes.isEmpty ? nil : client.submit(.changeOpenFile(handle, changes))
        let close = client.submit(.close(handle))
        if let change {
            try client.check(await client.reply(change), doing: failedChange)
        }
        try client.check(await client.reply(close), doing: failedWrite)
    }

    private var failedChange: String {
        "cannot change the attributes of '\(path.repairedText)'"
    }

    private var failedWrite: String {
        "cannot write '\(path.repairedText)'"
    }
}

/// An open directory on a server.
struct SFTPDirectory: DirectoryReader {
    let client: SFTPClient
    let handle: SFTPHandle
    /// A description of the failure for messages, such as `cannot list 'x'`.
    let what: String

    /// The number of packets without entries after which a server is expected to send one.
    private static let emptyPacketLimit = 8

    func next() async throws(VTError) -> [DirectoryEntry]? {
        for _ in 0..<Self.emptyPacketLimit {
            guard let entries = try await packet() else { return nil }
            guard entries.isEmpty else { return entries }
        }
        throw VTError(.protocolViolation, "\(what): '\(client.name)' sent only empty SFTP replies")
    }

    /// Returns the entries in the next packet; nil at the end.
    private func packet() async throws(VTError) -> [DirectoryEntry]? {
        let reply = try await client.perform(.readDirectory(handle))
        switch reply {
        case .names(let entries):
            let others = entries.filter { $0.name != "." && $0.name != ".." }
            if let entry = others.first(where: { !$0.name.isEntryName }) {
                throw VTError(
                    .protocolViolation,
                    "\(what): '\(client.name)' sent '\(entry.name.repairedText)', which is not a valid file name"
                )
            }
            return others
        case .status(let status) where status.code == .endOfFile: return nil
        case .status, .handle, .data, .attributes, .extended: throw client.unexpected(reply, doing: what)
        }
    }

    func close() async {
        // The server frees the handle regardless of its reply.
        _ = client.submit(.close(handle))
    }
}
