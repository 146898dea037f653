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

    var fileLimit: Int { client.traits.current.reusesHandles ? 1 : Self.standardFileLimit }

    private static let standardFileLimit = 64

    var renamesLinks: Bool { client.traits.current.links?.areReported ?? true }

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
        try await SFTPDirectory.open(path, on: client)
    }

    func open(_ path: ByteString) async throws(VTError) -> any RandomAccessFile {
        try await openFile(path)
    }

    func create(_ path: ByteString, mode: UInt16) async throws(VTError) -> any RandomAccessFile {
        try await createFile(path, mode: mode)
    }

    func openForWriting(_ path: ByteString, truncates: Bool) async throws(VTError) -> any RandomAccessFile {
        try await openFileForWriting(path, truncates: truncates)
    }

    func openFile(_ path: ByteString) async throws(VTError) -> SFTPFile {
        let request = SFTPRequest.open(path, [.read], mode: nil)
        let handle = try await client.handle(request, doing: "cannot open '\(path.repairedText)'").handle
        return SFTPFile(client: client, handle: handle, path: path, isWritable: false)
    }

    func createFile(_ path: ByteString, mode: UInt16) async throws(VTError) -> SFTPFile {
        let request = SFTPRequest.open(path, [.read, .write, .create, .exclusive], mode: mode)
        let what = "cannot create '\(path.repairedText)'"
        let traits = client.traits.current
        let examination: SFTPRequest? =
            traits.ignoresModes || !traits.verifiedModes.contains(mode) ? .attributes(path, followsLinks: false) : nil
        let (handle, reply) = try await client.handle(
            request,
            before: examination,
            doing: what,
            fallback: .cannotCreate
        )
        let file = SFTPFile(client: client, handle: handle, path: path, isWritable: true)
        do throws(VTError) {
            if let reply, let present = try await client.reply(reply).attributes?.mode {
                try await limitMode(of: file, from: present, to: mode)
            }
        } catch {
            // The earlier failure is the one to report.
            _ = try? await file.close(after: FileAttributeChanges())
            throw error
        }
        return file
    }

    func openFileForWriting(_ path: ByteString, truncates: Bool = false) async throws(VTError) -> SFTPFile {
        let flags: SFTPOpenFlags = truncates ? [.write, .truncate] : [.write]
        let what = "cannot open '\(path.repairedText)'"
        let request = SFTPRequest.open(path, flags, mode: nil)
        let handle = try await client.handle(request, doing: what, fallback: .cannotCreate).handle
        return SFTPFile(client: client, handle: handle, path: path, isWritable: true)
    }

    /// Takes the permissions from a new file that it should not have, because the server ignores the mode when it
    /// creates files, before anything is written to it.
    private func limitMode(of file: SFTPFile, from present: UInt16, to mode: UInt16) async throws(VTError) {
        let lacksExecution = mode & ~present & 0o100 != 0
        guard client.traits.current.ignoresModes || present & ~mode & 0o777 != 0 || lacksExecution else {
            return client.traits.update { $0.verifiedModes.insert(mode) }
        }
        client.traits.update { $0.ignoresModes = true }
        // The server's umask, as far as it is known: who may read the file may also execute it.
        let limited = mode & (present | (present & 0o444) >> 2)
        // If the mode cannot be changed, the copy ends with a note.
        if limited != present & 0o777 {
            _ = try await client.perform(.changeOpenFile(file.handle, FileAttributeChanges(mode: limited)))
        }
    }

    func makeDirectory(_ path: ByteString, mode: UInt16) async throws(VTError) {
        try await create(.makeDirectory(path, mode: mode), path)
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

    func remove(_ path: ByteString) async throws(VTError) {
        let reply = try await client.perform(.remove(path))
        if case .status(let status) = reply, status.code == .ok || status.code == .noSuchFile { return }
        throw client.unexpected(reply, doing: "cannot remove '\(path.repairedText)'")
    }

    func create(_ request: SFTPRequest, _ path: ByteString) async throws(VTError) {
        try await client.complete(request, doing: "cannot create '\(path.repairedText)'", fallback: .cannotCreate)
    }
}

/// Reply handling shared by most requests.
extension SFTPClient {
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

    /// Returns the error that a reply reports; nil for the status `ok`.
    func failure(_ reply: SFTPReply, doing what: String) -> VTError? {
        if case .status(let status) = reply, status.code == .ok { return nil }
        return unexpected(reply, doing: what)
    }

    /// Returns the error for a reply that does not indicate success: the server's error, or `protocol`.
    func unexpected(_ reply: SFTPReply, doing what: String, fallback: VTError.Code = .io) -> VTError {
        guard case .status(let status) = reply, status.code != .ok else {
            return VTError(.protocolViolation, "\(what): '\(name)' sent an unexpected SFTP reply")
        }
        return status.error(what, fallback: fallback)
    }
}
