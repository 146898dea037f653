import Core
import Glibc
import Runtime
import System

/// The files on this machine.
///
/// Most calls block, as calls on regular files do: the data is usually in the page cache. Large amounts of data are
/// written on a separate thread, because writing data takes as long as decrypting it.
package struct LocalFileSystem: FileSystem {
    private let writer = WorkerThread()

    package init() {}

    package func attributes(of path: ByteString, followsLinks: Bool) async throws(VTError) -> FileAttributes? {
        var status = stat()
        let flags = followsLinks ? 0 : AT_SYMLINK_NOFOLLOW
        let result = unsafe path.withCString { unsafe fstatat(AT_FDCWD, $0, &status, flags) }
        if result == 0 { return FileAttributes(status) }
        guard errno == ENOENT || errno == ENOTDIR else {
            throw .system(errno, "cannot examine '\(path.repairedText)'")
        }
        return nil
    }

    package func list(_ path: ByteString) async throws(VTError) -> any DirectoryReader {
        try LocalDirectory(path)
    }

    package func open(_ path: ByteString) async throws(VTError) -> any RandomAccessFile {
        // A FIFO without a writer must not block (open(2), fifo(7)); the flag has no effect on regular files.
        let flags = O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
        let number = unsafe path.withCString { unsafe Glibc.open($0, flags) }
        guard number >= 0 else { throw .system(errno, "cannot open '\(path.repairedText)'") }
        return LocalFile(FileDescriptor(owning: number), path: path, writer: writer)
    }

    package func create(_ path: ByteString, mode: UInt16) async throws(VTError) -> any RandomAccessFile {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let number = unsafe path.withCString { unsafe Glibc.open($0, flags, mode_t(mode)) }
        guard number >= 0 else { throw Self.notCreated(path) }
        return LocalFile(FileDescriptor(owning: number), path: path, writer: writer)
    }

    package func openForWriting(_ path: ByteString, truncates: Bool) async throws(VTError) -> any RandomAccessFile {
        let flags = O_WRONLY | (truncates ? O_TRUNC : 0) | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
        let number = unsafe path.withCString { unsafe Glibc.open($0, flags) }
        guard number >= 0 else {
            throw .system(errno, "cannot open '\(path.repairedText)'", fallback: .cannotCreate)
        }
        return LocalFile(FileDescriptor(owning: number), path: path, writer: writer)
    }

    package func makeDirectory(_ path: ByteString, mode: UInt16) async throws(VTError) {
        guard unsafe path.withCString({ unsafe mkdir($0, mode_t(mode)) }) == 0 else { throw Self.notCreated(path) }
    }

    package func makeLink(_ path: ByteString, to target: ByteString) async throws(VTError) {
        let result = unsafe path.withCString { path in unsafe target.withCString { unsafe symlink($0, path) } }
        guard result == 0 else { throw Self.notCreated(path) }
    }

    package func linkTarget(of path: ByteString) async throws(VTError) -> ByteString {
        var count = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, initializedCount in
            count = unsafe path.withCString { path in
                unsafe buffer.withMemoryRebound(to: CChar.self) { bytes in
                    guard let start = bytes.baseAddress else { return -1 }
                    return unsafe readlink(path, start, bytes.count)
                }
            }
            initializedCount = max(count, 0)
        }
        guard count >= 0 else { throw .system(errno, "cannot read the link '\(path.repairedText)'") }
        return ByteString(bytes)
    }

    package func absolutePath(of path: ByteString) async throws(VTError) -> ByteString {
        let real = unsafe path.withCString { path -> ByteString? in
            guard let real = unsafe realpath(path, nil) else { return nil }
            defer { unsafe free(real) }
            return unsafe ByteString(
                UnsafeBufferPointer(start: real, count: strlen(real)).map { UInt8(bitPattern: $0) }
            )
        }
        guard let real else { throw .system(errno, "cannot examine '\(path.repairedText)'") }
        return real
    }

    package func change(_ path: ByteString, to changes: FileAttributeChanges) async throws(VTError) {
        guard !changes.isEmpty else { return }
        let failure: CInt = unsafe path.withCString { path in
            if let owner = changes.owner, unsafe chown(path, owner.userID, owner.groupID) != 0 { return errno }
            if let mode = changes.mode, unsafe chmod(path, mode_t(mode)) != 0 { return errno }
            guard let times = changes.times?.values else { return 0 }
            return unsafe utimensat(AT_FDCWD, path, times, 0) == 0 ? 0 : errno
        }
        guard failure == 0 else {
            let what = "cannot change the attributes of '\(path.repairedText)'"
            throw .system(failure, what, fallback: .cannotCreate)
        }
    }

    package func rename(_ path: ByteString, to newPath: ByteString) async throws(VTError) {
        let result = unsafe path.withCString { path in unsafe newPath.withCString { unsafe Glibc.rename(path, $0) } }
        guard result == 0 else {
            throw .system(errno, "cannot rename the new file to '\(newPath.repairedText)'", fallback: .cannotCreate)
        }
    }

    package func remove(_ path: ByteString) async throws(VTError) {
        guard unsafe path.withCString({ unsafe unlink($0) }) == 0 || errno == ENOENT else {
            throw .system(errno, "cannot remove '\(path.repairedText)'")
        }
    }

    /// Returns the error for a file that cannot be created, derived from errno.
    private static func notCreated(_ path: ByteString) -> VTError {
        let failure = errno
        let fallback: VTError.Code = failure == EEXIST ? .exists : .cannotCreate
        return .system(failure, "cannot create '\(path.repairedText)'", fallback: fallback)
    }
}
