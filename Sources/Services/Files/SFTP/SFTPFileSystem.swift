import Core

/// The files on a server, accessed through SFTP.
struct SFTPFileSystem: FileSystem {
    /// Computes the SHA-256 digest of a file in hexadecimal on the server; returns nil if that is not possible.
    typealias Digest = @Sendable (ByteString) async throws(VTError) -> String?

    let client: SFTPClient
    private let digest: Digest?

    init(_ client: SFTPClient, digest: Digest? = nil) {
        self.client = client
        self.digest = digest
    }

    func sha256(of path: ByteString) async throws(VTError) -> String? {
        try await digest?(path)
    }

    func absolutePath(of path: ByteString) async throws(VTError) -> ByteString {
        let reply = try await client.perform(.absolutePath(path))
        guard case .names(let entries) = reply, entries.count == 1 else {
            throw client.unexpected(reply, doing: "cannot examine '\(path.repairedText)'")
        }
        return entries[0].name
    }

    func attributes(of path: ByteString, followsLinks: Bool) async throws(VTError) -> FileAttributes? {
        switch try await client.perform(.attributes(path, followsLinks: followsLinks)) {
        case .attributes(let attributes): return attributes
        case .status(let status) where status.code == .noSuchFile: return nil
        case let reply: throw client.unexpected(reply, doing: "cannot examine '\(path.repairedText)'")
        }
    }

    func list(_ path: ByteString) async throws(VTError) -> any DirectoryReader {
        let what = "cannot list '\(path.repairedText)'"
        let handle = try await client.handle(.openDirectory(path), doing: what)
        return SFTPDirectory(client: client, handle: handle, what: what)
    }

    func open(_ path: ByteString) async throws(VTError) -> any RandomAccessFile {
        try await openFile(path)
    }

    func create(_ path: ByteString, mode: UInt16) async throws(VTError) -> any RandomAccessFile {
        try await createFile(path, mode: mode)
    }

    func openForWriting(_ path: ByteString) async throws(VTError) -> any RandomAccessFile {
        try await openFileForWriting(path)
    }

    func openFile(_ path: ByteString) async throws(VTError) -> SFTPFile {
        let request = SFTPRequest.open(path, [.read], mode: nil)
        let handle = try await client.handle(request, doing: "cannot open '\(path.repairedText)'")
        return SFTPFile(client: client, handle: handle, path: path)
    }

    func createFile(_ path: ByteString, mode: UInt16) async throws(VTError) -> SFTPFile {
        let request = SFTPRequest.open(path, [.read, .write, .create, .exclusive], mode: mode)
        let what = "cannot create '\(path.repairedText)'"
        let handle = try await client.handle(request, doing: what, fallback: .cannotCreate)
        return SFTPFile(client: client, handle: handle, path: path)
    }

    func openFileForWriting(_ path: ByteString) async throws(VTError) -> SFTPFile {
        let request = SFTPRequest.open(path, [.read, .write], mode: nil)
        let what = "cannot open '\(path.repairedText)'"
        let handle = try await client.handle(request, doing: what, fallback: .cannotCreate)
        return SFTPFile(client: client, handle: handle, path: path)
    }

    func makeDirectory(_ path: ByteString, mode: UInt16) async throws(VTError) {
        try await create(.makeDirectory(path, mode: mode), path)
    }

    func makeLink(_ path: ByteString, to target: ByteString) async throws(VTError) {
        try await create(.makeLink(path, to: target), path)
    }

    func linkTarget(of path: ByteString) async throws(VTError) -> ByteString {
        let reply = try await client.perform(.linkTarget(path))
        guard case .names(let entries) = reply, let entry = entries.first else {
            throw client.unexpected(reply, doing: "cannot read the link '\(path.repairedText)'")
        }
        return entry.name
    }

    func change(_ path: ByteString, to changes: FileAttributeChanges) async throws(VTError) {
        guard !changes.isEmpty else { return }
        let what = "cannot change the attributes of '\(path.repairedText)'"
        try await client.complete(.change(path, changes), doing: what, fallback: .cannotCreate)
    }

    func rename(_ path: ByteString, to newPath: ByteString) async throws(VTError) {
        let isAtomic = client.supports(.replace)
        try await create(isAtomic ? .replace(path, with: newPath) : .rename(path, to: newPath), newPath)
    }

    func remove(_ path: ByteString) async throws(VTError) {
        let reply = try await client.perform(.remove(path))
        if case .status(let status) = reply, status.code == .ok || status.code == .noSuchFile { return }
        throw client.unexpected(reply, doing: "cannot remove '\(path.repairedText)'")
    }

    private func create(_ request: SFTPRequest, _ path: ByteString) async throws(VTError) {
        try await client.complete(request, doing: "cannot create '\(path.repairedText)'", fallback: .cannotCreate)
    }
}

/// Reply handling shared by most requests.
extension SFTPClient {
    /// Performs a request whose reply is a handle.
    func handle(
        _ request: SFTPRequest,
        doing what: String,
        fallback: VTError.Code = .io
    ) async throws(VTError) -> SFTPHandle {
        let reply = try await perform(request)
        guard case .handle(let handle) = reply else { throw unexpected(reply, doing: what, fallback: fallback) }
        return handle
    }

    /// Performs a request whose reply is only a status.
    func complete(
        _ request: SFTPRequest,
        doing what: String,
        fallback: VTError.Code = .io
    ) async throws(VTError) {
        try check(await perform(request), doing: what, fallback: fallback)
    }

    /// Checks that a reply is the status `ok`.
    func check(_ reply: SFTPReply, doing what: String, fallback: VTError.Code = .io) throws(VTError) {
        guard case .status(let status) = reply, status.code == .ok else {
            throw unexpected(reply, doing: what, fallback: fallback)
        }
    }

    /// Returns the error for a reply that does not indicate success: the server's error, or `protocol`.
    func unexpected(_ reply: SFTPReply, doing what: String, fallback: VTError.Code = .io) -> VTError {
        guard case .status(let status) = reply, status.code != .ok else {
            return VTError(.protocolViolation, "\(what): '\(name)' sent an unexpected SFTP reply")
        }
        return status.error(what, fallback: fallback)
    }
}
