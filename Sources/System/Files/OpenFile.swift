import Core
import Glibc

/// An open file whose errors contain its path.
package struct OpenFile: ~Copyable, Sendable {
    private let descriptor: FileDescriptor
    /// The path in messages.
    package let path: String

    /// Opens a file; `failure` is the error code to use when errno does not determine one.
    package init(
        opening path: String,
        _ flags: CInt,
        mode: mode_t = 0o600,
        failure: VTError.Code = .io
    ) throws(VTError) {
        descriptor = try FileDescriptor.open(path, flags, mode: mode, fallback: failure)
        self.path = path
    }

    /// Uses an open descriptor.
    package init(_ descriptor: consuming FileDescriptor, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    package var number: CInt { descriptor.number }

    /// Opens a file for reading; nil if it does not exist.
    package init?(reading path: String) throws(VTError) {
        do throws(VTError) {
            descriptor = try FileDescriptor.openForReading(path)
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
        self.path = path
    }

    /// Returns the owner, mode, size and times; the corresponding C function is `fstat`.
    package func status() throws(VTError) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor.number, &status) == 0 else {
            throw .system(errno, "cannot examine '\(path)'")
        }
        return status
    }

    /// Sets the mode, ignoring the umask; the corresponding C function is `fchmod`.
    package func setMode(_ mode: mode_t) throws(VTError) {
        guard fchmod(descriptor.number, mode) == 0 else {
            throw .system(errno, "cannot set the mode of '\(path)'", fallback: .cannotCreate)
        }
    }

    /// Takes the exclusive lock if it is free; the corresponding C function is `flock`.
    package func tryLock() throws(VTError) -> Bool {
        if flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 { return true }
        let number = errno
        guard number == EWOULDBLOCK || number == EINTR else { throw .system(number, "cannot lock '\(path)'") }
        return false
    }

    /// Releases the lock; the corresponding C function is `flock`.
    package func unlock() {
        flock(descriptor.number, LOCK_UN)
    }

    /// Truncates the file to this length, ignoring errors; the corresponding C function is `ftruncate`.
    package func truncate(to count: Int) {
        _ = ftruncate(descriptor.number, count)
    }

    /// Reads from the current position to the end; throws `config` for more than `limit` bytes.
    ///
    /// Unlike `BlockingIO`, never treats an error as the end of the file, so that a failed read does not look like a
    /// short file.
    package func readToEnd(limit: Int) throws(VTError) -> [UInt8] {
        var contents = try read(limit: Self.readBytes)
        var isAtEnd = contents.isEmpty
        while !isAtEnd {
            guard contents.count <= limit else { throw VTError(.config, "'\(path)' is larger than \(limit) bytes") }
            let bytes = try read(limit: Self.readBytes)
            contents += bytes
            isAtEnd = bytes.isEmpty
        }
        return contents
    }

    private static let readBytes = 64 << 10

    /// Reads once from the current position, at most `limit` bytes; an empty result means end of file.
    package func read(limit: Int) throws(VTError) -> [UInt8] {
        let descriptor = descriptor.number
        let (bytes, failure) = unsafe BlockingIO.bytes(limit: limit) { unsafe Glibc.read(descriptor, $0, limit) }
        guard failure == 0 else { throw .system(failure, "cannot read '\(path)'") }
        return bytes
    }

    /// Reads once at an offset, at most `limit` bytes; an empty result means end of file.
    package func read(at offset: Int, limit: Int) throws(VTError) -> [UInt8] {
        let descriptor = descriptor.number
        let (bytes, failure) = unsafe BlockingIO.bytes(limit: limit) {
            unsafe pread(descriptor, $0, limit, off_t(offset))
        }
        guard failure == 0 else { throw .system(failure, "cannot read '\(path)'") }
        return bytes
    }

    /// Seeks to the start of the file; returns false if that is impossible, as for a pipe.
    package func rewind() -> Bool {
        lseek(descriptor.number, 0, SEEK_SET) == 0
    }

    /// Returns another descriptor for the open file; the corresponding C function is `fcntl` with F_DUPFD_CLOEXEC.
    package func duplicate() throws(VTError) -> FileDescriptor {
        let number = fcntl(descriptor.number, F_DUPFD_CLOEXEC, 3)
        guard number >= 0 else { throw .system(errno, "cannot reopen '\(path)'", fallback: .system) }
        return FileDescriptor(owning: number)
    }

    /// Allocates the blocks for the first `count` bytes, regardless of the file's length.
    package func reserve(_ count: Int) throws(VTError) {
        let failure = FileSpace.reserve(descriptor.number, 0..<UInt64(count))
        // Some file systems, such as vfat and NFS 3, cannot preallocate.
        guard failure == 0 || failure == EOPNOTSUPP || failure == ENOSYS else {
            throw .system(failure, "cannot write '\(path)'")
        }
    }

    /// Writes all bytes, in a single `write` if possible.
    package func writeAll(_ bytes: [UInt8]) throws(VTError) {
        let failure = BlockingIO.write(descriptor.number, bytes)
        guard failure == 0 else { throw .system(failure, "cannot write '\(path)'") }
    }

    /// Syncs the contents to disk; the corresponding C function is `fsync`.
    package func synchronize() throws(VTError) {
        guard fsync(descriptor.number) == 0 else { throw .system(errno, "cannot write '\(path)'") }
    }
}
