import Core
import Glibc
import System
import TestSupport

/// Calls on files whose paths can be any bytes; a symbolic link as the last name of a path is not followed, except by
/// `setMode`.
enum RawFile {
    /// The attributes of a file; nil if there is none.
    static func status(_ path: ByteString) throws -> stat? {
        var status = stat()
        if path.withCString({ lstat($0, &status) }) == 0 { return status }
        guard errno == ENOENT || errno == ENOTDIR else { throw failure("lstat", path) }
        return nil
    }

    /// Creates a file that does not exist.
    static func create(_ path: ByteString, mode: mode_t) throws -> FileDescriptor {
        let number = path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        guard number >= 0, fchmod(number, mode) == 0 else { throw failure("open", path) }
        return FileDescriptor(owning: number)
    }

    static func makeLink(_ path: ByteString, to target: ByteString) throws {
        try check(path.withCString { path in target.withCString { symlink($0, path) } }, "symlink", path)
    }

    static func makeDirectory(_ path: ByteString, mode: mode_t) throws {
        try check(path.withCString { mkdir($0, mode) }, "mkdir", path)
    }

    static func rename(_ path: ByteString, to newPath: ByteString) throws {
        try check(path.withCString { path in newPath.withCString { Glibc.rename(path, $0) } }, "rename", path)
    }

    static func remove(_ path: ByteString) throws {
        try check(path.withCString { unlink($0) }, "unlink", path)
    }

    static func removeDirectory(_ path: ByteString) throws {
        try check(path.withCString { rmdir($0) }, "rmdir", path)
    }

    static func setMode(_ path: ByteString, _ mode: mode_t) throws {
        try check(path.withCString { chmod($0, mode) }, "chmod", path)
    }

    private static func check(_ result: CInt, _ call: String, _ path: ByteString) throws {
        if result != 0 { throw failure(call, path) }
    }

    private static func failure(_ call: String, _ path: ByteString) -> FixtureError {
        FixtureError("\(call) of '\(path.repairedText)': errno \(errno)")
    }
}
