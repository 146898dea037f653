/// File access on a server.
///
/// Paths are absolute or relative to the server's initial SFTP directory, which may differ from the home directory seen
/// by its shells. A canceled call may have taken effect fully, partially, or not at all.
package protocol RemoteFiles: Sendable {
    /// The status of the file at the path, following symbolic links; nil if it does not exist.
    ///
    /// - Throws: `io` when the server reports an error. All methods also throw `host.unreachable` and `protocol`.
    func status(of path: String) async throws(VTError) -> RemoteFileStatus?

    /// Creates a directory; the server's umask may clear bits of the mode.
    ///
    /// - Throws: `cannot-create`; `not-found` when the parent directory does not exist.
    func makeDirectory(_ path: String, mode: UInt16) async throws(VTError)

    /// Creates a file with exactly this mode and writes the whole source to it; on return, the bytes have been synced
    /// to disk if the server supports that.
    ///
    /// Existing files are never overwritten: version 3 of SFTP cannot replace a file atomically, as its rename fails if
    /// the target exists.
    ///
    /// - Throws: `cannot-create` when the file cannot be created, for example because it exists; `not-found` when its
    ///   directory does not exist; `io` when writing fails, which leaves an incomplete file; errors thrown by the
    ///   source.
    func create(_ path: String, mode: UInt16, from source: any ByteSource) async throws(VTError)

    /// Removes a file; does nothing if it does not exist.
    ///
    /// - Throws: `io`.
    func remove(_ path: String) async throws(VTError)
}

/// The attributes of a file on a server.
package struct RemoteFileStatus: Hashable, Sendable {
    package enum Kind: Sendable {
        case file
        case directory
        case other
    }

    package var kind: Kind
    package var sizeBytes: UInt64
    /// The low twelve bits of the mode: the permissions, set-user-ID, set-group-ID and the sticky bit.
    package var mode: UInt16

    package init(kind: Kind, sizeBytes: UInt64, mode: UInt16) {
        self.kind = kind
        self.sizeBytes = sizeBytes
        self.mode = mode
    }
}
