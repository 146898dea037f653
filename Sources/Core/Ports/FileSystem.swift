/// The files of this machine or of a server.
///
/// Paths are absolute, or relative to the current directory on this machine and to the initial directory of the SFTP
/// subsystem on a server. All methods throw `not-found` if the file or its directory does not exist, and
/// `host.unreachable` or `protocol` if the connection to the server fails. A canceled call may still take effect.
package protocol FileSystem: Sendable {
    /// The number of files that can safely be open at the same time; it decreases if a server turns out to bear fewer.
    var fileLimit: Int { get }

    /// Whether renaming a symbolic link renames the link, not the file to which it refers; known once a link has been
    /// created.
    var renamesLinks: Bool { get }

    /// Announces that a file of this size will probably be written, or read, so that the system can prepare for it.
    func expect(sizeBytes: UInt64, isWritten: Bool)

    /// Returns the attributes of a file; nil if it does not exist.
    ///
    /// - Throws: `io`.
    func attributes(of path: ByteString, followsLinks: Bool) async throws(VTError) -> FileAttributes?

    /// Opens a directory to list its entries.
    ///
    /// - Throws: `io`, for example if the path is not a directory.
    func list(_ path: ByteString) async throws(VTError) -> any DirectoryReader

    /// Opens a file for reading, following symbolic links.
    ///
    /// - Throws: `io`.
    func open(_ path: ByteString) async throws(VTError) -> any RandomAccessFile

    /// Creates a file, which must not exist yet, for reading and writing; a umask applies to the mode.
    ///
    /// - Throws: `cannot-create`; `exists`, if the system reports that the file exists.
    func create(_ path: ByteString, mode: UInt16) async throws(VTError) -> any RandomAccessFile

    /// Opens an existing file for writing; `truncates` removes its contents.
    ///
    /// - Throws: `cannot-create`.
    func openForWriting(_ path: ByteString, truncates: Bool) async throws(VTError) -> any RandomAccessFile

    /// Creates a directory; a umask applies to the mode.
    ///
    /// - Throws: `cannot-create`, including when it already exists.
    func makeDirectory(_ path: ByteString, mode: UInt16) async throws(VTError)

    /// Creates a symbolic link, which must not exist yet.
    ///
    /// - Throws: `cannot-create`.
    func makeLink(_ path: ByteString, to target: ByteString) async throws(VTError)

    /// Returns the target of a symbolic link.
    ///
    /// - Throws: `io`.
    func linkTarget(of path: ByteString) async throws(VTError) -> ByteString

    /// Returns the absolute path of a file, with all symbolic links resolved.
    ///
    /// - Throws: `io`.
    func absolutePath(of path: ByteString) async throws(VTError) -> ByteString

    /// Changes the attributes of a file, following symbolic links.
    ///
    /// - Throws: `cannot-create`.
    func change(_ path: ByteString, to changes: FileAttributeChanges) async throws(VTError)

    /// Renames a file, atomically replacing an existing file if the system can do that.
    ///
    /// - Throws: `cannot-create`.
    func rename(_ path: ByteString, to newPath: ByteString) async throws(VTError)

    /// Returns the SHA-256 digest of a file in hexadecimal, computed by a program on the server; nil if there is no
    /// such program.
    func sha256(of path: ByteString) async throws(VTError) -> String?

    /// Removes a file; does nothing if it does not exist.
    ///
    /// - Throws: `io`.
    func remove(_ path: ByteString) async throws(VTError)
}

extension FileSystem {
    package var fileLimit: Int { 64 }

    package var renamesLinks: Bool { true }

    package func expect(sizeBytes: UInt64, isWritten: Bool) {}

    package func sha256(of path: ByteString) async throws(VTError) -> String? { nil }
}

/// An open file.
///
/// Several reads and writes may be in progress at the same time. `close` must be called exactly once, after all of them
/// have ended.
package protocol RandomAccessFile: Sendable {
    /// Whether the file can be read or written only sequentially, by calls that do not overlap.
    var isSequential: Bool { get }

    /// Prepares for reading or writing this number of bytes; not necessary, but may save time.
    func prepare(forBytes count: UInt64) async

    /// Reads once at an offset: at most `limit` bytes, and none at the end of the file. `limit` must not exceed
    /// `FileChunk.bytes`.
    ///
    /// - Throws: `io`.
    func read(at offset: UInt64, limit: Int) async throws(VTError) -> [UInt8]

    /// Writes all bytes, at most `FileChunk.bytes`, at an offset.
    ///
    /// - Throws: `io`.
    func write(_ bytes: [UInt8], at offset: UInt64) async throws(VTError)

    /// Returns the next range of bytes at or after `offset` that is not a hole; nil if the rest of the file is a hole
    /// or is empty. If the file system does not report holes, the range extends to the end of the file or beyond.
    ///
    /// - Throws: `io`.
    func data(from offset: UInt64) async throws(VTError) -> Range<UInt64>?

    /// - Throws: `io`.
    func attributes() async throws(VTError) -> FileAttributes

    /// Applies the changes, and closes the file, which is also closed on failure.
    ///
    /// Unless `needsAttributes`, those of the closed file may be missing on systems that lose nothing silently.
    ///
    /// - Throws: `io`, if an earlier write failed.
    @discardableResult
    func close(after changes: FileAttributeChanges, needsAttributes: Bool) async throws(VTError) -> ClosedFile
}

/// What is known about a file that has been closed.
package struct ClosedFile: Sendable {
    /// The attributes of a file that was open for writing, read after that; nil if the system does not report them.
    package var attributes: FileAttributes?
    /// Why the changes could not be made; nil if they were.
    package var failedChange: VTError?

    package init(attributes: FileAttributes? = nil, failedChange: VTError? = nil) {
        self.attributes = attributes
        self.failedChange = failedChange
    }
}

extension RandomAccessFile {
    package var isSequential: Bool { false }

    @discardableResult
    package func close(after changes: FileAttributeChanges) async throws(VTError) -> ClosedFile {
        try await close(after: changes, needsAttributes: false)
    }

    package func prepare(forBytes count: UInt64) async {}
}

/// The unit of reads and writes.
package enum FileChunk {
    /// The maximum number of bytes in a read or write.
    ///
    /// OpenSSH limits SFTP packets to 256 KiB with their headers (`SFTP_MAX_MSG_LENGTH` in sftp-common.h).
    package static let bytes = 128 << 10
}

/// Lists the entries of a directory.
package protocol DirectoryReader: Sendable {
    /// Returns further entries, in no particular order, without `.` and `..`; nil at the end.
    ///
    /// - Throws: `io`; `protocol` if a server sends a name that is not an entry of a directory.
    func next() async throws(VTError) -> [DirectoryEntry]?

    /// Closes the directory; must be called exactly once.
    func close() async
}

/// An entry of a directory.
package struct DirectoryEntry: Hashable, Sendable {
    /// A single name, without `/`.
    package var name: ByteString
    /// The attributes of the entry itself, not of the file that a symbolic link refers to.
    package var attributes: FileAttributes

    package init(name: ByteString, attributes: FileAttributes) {
        self.name = name
        self.attributes = attributes
    }
}
