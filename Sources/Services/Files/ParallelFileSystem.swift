import Core
import Synchronization

/// The files on a server, accessed through several SFTP sessions, which are added while the files are in use.
///
/// Sessions of one connection have flow-control windows of their own (RFC 4254 §5.2), so together they have more data in
/// transit to the server. Sessions of further connections also use more processor cores; they replace those of the first
/// one.
final class ParallelFileSystem: FileSystem {
    /// The sessions to use for further requests.
    struct Sessions {
        var files: [SFTPFileSystem]
        /// Whether the sessions are those of further connections.
        var areAdditional = false
        fileprivate var next = 0

        fileprivate init(_ files: [SFTPFileSystem], areAdditional: Bool = false) {
            self.files = files
            self.areAdditional = areAdditional
        }
    }

    private let first: SFTPFileSystem
    private let additional: AdditionalSessions?
    private let state: Mutex<Sessions>

    /// Uses the session `first`, and `additional` if there is much to copy.
    init(_ first: SFTPFileSystem, additional: AdditionalSessions? = nil) {
        self.first = first
        self.additional = additional
        state = Mutex(Sessions([first]))
    }

    /// Adds sessions whose servers have replied to a request, so that their extensions are known.
    ///
    /// `areAdditional` is whether they are sessions of a further connection.
    func add(_ files: [SFTPFileSystem], areAdditional: Bool) {
        state.withLock { sessions in
            if areAdditional == sessions.areAdditional {
                sessions.files += files
            } else if areAdditional, !files.isEmpty {
                sessions = Sessions(files, areAdditional: true)
            }
        }
    }

    var sessions: Sessions {
        state.withLock { $0 }
    }

    /// Waits until the sessions of the first connection have been added.
    func waitForSessions() async {
        await additional?.waitForSessions()
    }

    /// The session for the next request.
    private func next() -> SFTPFileSystem {
        state.withLock { sessions in
            sessions.next = (sessions.next + 1) % sessions.files.count
            return sessions.files[sessions.next]
        }
    }

    // MARK: - FileSystem

    var fileLimit: Int { first.fileLimit }

    var renamesLinks: Bool { first.renamesLinks }

    func expect(sizeBytes: UInt64, isWritten: Bool) {
        additional?.expect(sizeBytes: sizeBytes, isWritten: isWritten, for: self)
    }

    func sha256(of path: ByteString) async throws(VTError) -> String? {
        try await first.sha256(of: path)
    }

    func absolutePath(of path: ByteString) async throws(VTError) -> ByteString {
        try await next().absolutePath(of: path)
    }

    func attributes(of path: ByteString, followsLinks: Bool) async throws(VTError) -> FileAttributes? {
        try await next().attributes(of: path, followsLinks: followsLinks)
    }

    func list(_ path: ByteString) async throws(VTError) -> any DirectoryReader {
        try await next().list(path)
    }

    func open(_ path: ByteString) async throws(VTError) -> any RandomAccessFile {
        StripedFile(try await next().openFile(path), of: self, isWritable: false)
    }

    func create(_ path: ByteString, mode: UInt16) async throws(VTError) -> any RandomAccessFile {
        StripedFile(try await next().createFile(path, mode: mode), of: self, isWritable: true)
    }

    func openForWriting(_ path: ByteString, truncates: Bool) async throws(VTError) -> any RandomAccessFile {
        StripedFile(try await next().openFileForWriting(path, truncates: truncates), of: self, isWritable: true)
    }

    func makeDirectory(_ path: ByteString, mode: UInt16) async throws(VTError) {
        try await next().makeDirectory(path, mode: mode)
    }

    func makeLink(_ path: ByteString, to target: ByteString) async throws(VTError) {
        try await next().makeLink(path, to: target)
    }

    func linkTarget(of path: ByteString) async throws(VTError) -> ByteString {
        try await next().linkTarget(of: path)
    }

    func change(_ path: ByteString, to changes: FileAttributeChanges) async throws(VTError) {
        try await next().change(path, to: changes)
    }

    func rename(_ path: ByteString, to newPath: ByteString) async throws(VTError) {
        try await next().rename(path, to: newPath)
    }

    func remove(_ path: ByteString) async throws(VTError) {
        try await next().remove(path)
    }
}
