/// The files of a server.
///
/// Paths are absolute, or begin where the server starts a file session, which need not be the home directory that its
/// shells know. A cancelled call leaves its change undone, done or half done.
package protocol RemoteFiles: Sendable {
    /// What is at the path, symbolic links followed; nil where there is nothing.
    ///
    /// - Throws: `io` when the server does not say, and as all methods `host.unreachable` and `protocol`.
    func status(of path: String) async throws(VTError) -> RemoteFileStatus?

    /// Makes a directory; the server's umask may take bits from the mode.
    ///
    /// - Throws: `cannot-create`; `not-found` when the directory it shall lie in is missing.
    func makeDirectory(_ path: String, mode: UInt16) async throws(VTError)

    /// Makes a file of just this mode and writes all of the source into it; the bytes are on the disk when this returns,
    /// where the server can tell.
    ///
    /// Nothing is ever overwritten: to replace a file at once is more than version 3 of the protocol can, whose rename
    /// fails where there is a file already.
    ///
    /// - Throws: `cannot-create` when it cannot be made, such as because it is there; `not-found` when its directory is
    ///   missing; `io` when it cannot be written whole, in which case a part of it is left; what the source throws.
    func create(_ path: String, mode: UInt16, from source: any ByteSource) async throws(VTError)

    /// Removes a file; nothing happens where there is none.
    ///
    /// - Throws: `io`.
    func remove(_ path: String) async throws(VTError)
}

/// What is known of a file of a server.
package struct RemoteFileStatus: Hashable, Sendable {
    package enum Kind: Sendable {
        case file
        case directory
        case other
    }

    package var kind: Kind
    package var sizeBytes: UInt64
    /// The lower twelve bits.
    package var mode: UInt16

    package init(kind: Kind, sizeBytes: UInt64, mode: UInt16) {
        self.kind = kind
        self.sizeBytes = sizeBytes
        self.mode = mode
    }
}
