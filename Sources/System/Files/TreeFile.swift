import Core
import Glibc

/// Calls on single files whose paths can be any bytes.
///
/// A symbolic link as the last name of a path is not followed.
package enum TreeFile {
    /// The attributes of a file; nil if there is none; the corresponding C function is `lstat`.
    package static func status(_ path: ByteString) throws(VTError) -> stat? {
        var status = stat()
        let result = unsafe path.withCString { unsafe lstat($0, &status) }
        if result == 0 { return status }
        guard errno == ENOENT || errno == ENOTDIR else {
            throw .system(errno, "cannot examine '\(path.repairedText)'")
        }
        return nil
    }

    /// The attributes of many files in a directory, as `status` returns them, with the number of each.
    ///
    /// Each of `starts` is the position in `bytes` of a name that ends with NUL. If the directory does not exist, neither
    /// do the files. The corresponding C function is `fstatat`.
    package static func statuses(
        at starts: [Int],
        in bytes: [UInt8],
        of directory: ByteString,
        _ body: (Int, stat?) -> Void
    ) throws(VTError) {
        let opened = unsafe directory.withCString { unsafe open($0, openPath | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
        guard opened >= 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw failure("open", directory) }
            for number in starts.indices { body(number, nil) }
            return
        }
        let file = FileDescriptor(owning: opened)
        for (number, start) in starts.enumerated() {
            var status = stat()
            let result = unsafe bytes[start...].withUnsafeBytes { bytes in
                guard let path = unsafe bytes.bindMemory(to: CChar.self).baseAddress else { return CInt(-1) }
                return unsafe fstatat(file.number, path, &status, AT_SYMLINK_NOFOLLOW)
            }
            let failure = result == 0 ? 0 : errno
            guard [0, ENOENT, ENOTDIR].contains(failure) else {
                let path = directory.appending(ByteString(bytes[start...].prefix { $0 != 0 }))
                throw .system(failure, "cannot examine '\(path.repairedText)'")
            }
            body(number, failure == 0 ? status : nil)
        }
    }

    /// O_PATH of open(2), which needs no permission to read, and which is declared only with _GNU_SOURCE.
    private static let openPath: CInt = 0o10000000

    /// Whether this process may read the file; the corresponding C function is `access`.
    package static func isReadable(_ path: ByteString) -> Bool {
        unsafe path.withCString { unsafe access($0, R_OK) } == 0
    }

    /// Whether this process may examine the files in a directory; the corresponding C function is `access`.
    package static func isSearchable(_ directory: ByteString) -> Bool {
        unsafe directory.withCString { unsafe access($0, X_OK) } == 0
    }

    /// Creates a file that does not exist; the mode is exact, whatever the umask.
    package static func create(_ path: ByteString, mode: mode_t) throws(VTError) -> FileDescriptor {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let number = unsafe path.withCString { unsafe open($0, flags, 0o600) }
        guard number >= 0 else { throw failure("create", path) }
        let file = FileDescriptor(owning: number)
        guard fchmod(number, mode) == 0 else { throw failure("create", path) }
        return file
    }

    /// The corresponding C function is `symlink`.
    package static func makeLink(_ path: ByteString, to target: ByteString) throws(VTError) {
        let result = unsafe path.withCString { path in unsafe target.withCString { unsafe symlink($0, path) } }
        guard result == 0 else { throw failure("create", path) }
    }

    /// Gives a file that may not exist another name; the corresponding C function is `link`.
    package static func link(_ path: String, to newPath: String) throws(VTError) {
        guard unsafe Glibc.link(path, newPath) == 0 || errno == ENOENT else {
            throw failure("create", ByteString(newPath))
        }
    }

    /// The corresponding C function is `mkdir`.
    package static func makeDirectory(_ path: ByteString, mode: mode_t) throws(VTError) {
        guard unsafe path.withCString({ unsafe mkdir($0, mode) }) == 0 else { throw failure("create", path) }
    }

    /// The corresponding C function is `rename`.
    package static func rename(_ path: ByteString, to newPath: ByteString) throws(VTError) {
        let result = unsafe path.withCString { path in unsafe newPath.withCString { unsafe Glibc.rename(path, $0) } }
        guard result == 0 else { throw failure("replace", newPath) }
    }

    /// Removes a file that may not exist; the corresponding C function is `unlink`.
    package static func remove(_ path: ByteString) throws(VTError) {
        guard unsafe path.withCString({ unsafe unlink($0) }) == 0 || errno == ENOENT else {
            throw failure("remove", path)
        }
    }

    /// Removes a directory if it is empty; returns whether it is gone.
    ///
    /// The corresponding C function is `rmdir`.
    package static func removeEmptyDirectory(_ path: ByteString) throws(VTError) -> Bool {
        guard unsafe path.withCString({ unsafe rmdir($0) }) != 0, errno != ENOENT else { return true }
        guard errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR || errno == EBUSY else {
            throw failure("remove", path)
        }
        return false
    }

    /// The corresponding C function is `chmod`, which must not be called for a symbolic link.
    package static func setMode(_ path: ByteString, _ mode: mode_t) throws(VTError) {
        guard unsafe path.withCString({ unsafe chmod($0, mode) }) == 0 else {
            throw failure("set the mode of", path)
        }
    }

    /// Returns the error for a file, derived from errno.
    private static func failure(_ verb: String, _ path: ByteString) -> VTError {
        .system(errno, "cannot \(verb) '\(path.repairedText)'")
    }
}
