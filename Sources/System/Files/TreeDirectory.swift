import CLinux
import Core
import Glibc

/// An open directory of a tree.
///
/// What is done in it concerns this directory, whatever other processes do to its path meanwhile, and symbolic links are
/// never followed. Names are single names; paths are relative.
package final class TreeDirectory: Sendable {
    let descriptor: FileDescriptor
    /// The path in messages.
    let path: ByteString

    /// O_PATH of open(2), which needs no permission to read, and which is declared only with _GNU_SOURCE.
    static let openPath: CInt = 0o10000000

    private init(_ descriptor: consuming FileDescriptor, path: ByteString) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Opens the directory at an absolute path without symbolic links; nil if there is none.
    package convenience init?(root path: String) throws(VTError) {
        let top = try FileDescriptor.open("/", Self.openPath | O_DIRECTORY)
        let bytes = ByteString(path)
        let relative = ByteString(bytes.bytes.drop { $0 == UInt8(ascii: "/") })
        guard let opened = try Self.open(relative.bytes.isEmpty ? "." : relative, in: top.number, crosses: true, bytes)
        else { return nil }
        self.init(opened, path: bytes)
    }

    /// Opens a directory below this one, or this one again if the path is empty; nil if there is none, or if a part of
    /// the path is a symbolic link.
    ///
    /// - Throws: a refusal if `staysOnMount` and the directory is on another mount.
    package func directory(_ path: ByteString, staysOnMount: Bool = false) throws(VTError) -> TreeDirectory? {
        let full = path.bytes.isEmpty ? self.path : self.path.appending(path)
        let opened = try Self.open(path.bytes.isEmpty ? "." : path, in: descriptor.number, crosses: !staysOnMount, full)
        guard let opened else { return nil }
        return TreeDirectory(opened, path: full)
    }

    private static func open(
        _ path: ByteString,
        in directory: CInt,
        crosses: Bool,
        _ fullPath: ByteString
    ) throws(VTError) -> FileDescriptor? {
        var number: CInt = -1
        let failure = unsafe path.withCString { unsafe ctree_open(directory, $0, crosses ? 1 : 0, &number) }
        switch failure {
        case 0: return FileDescriptor(owning: number)
        case ENOENT, ENOTDIR, ELOOP: return nil
        default: throw .system(failure, "cannot enter '\(fullPath.repairedText)'")
        }
    }

    // MARK: - Attributes

    /// The attributes of the directory; the corresponding C function is `fstat`.
    package func status() throws(VTError) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor.number, &status) == 0 else { throw failure("examine", "") }
        return status
    }

    /// The attributes of a file in the directory; nil if there is none; the corresponding C function is `fstatat`.
    package func status(_ name: ByteString) throws(VTError) -> stat? {
        var status = stat()
        let result = unsafe name.withCString { unsafe fstatat(descriptor.number, $0, &status, AT_SYMLINK_NOFOLLOW) }
        if result == 0 { return status }
        guard errno == ENOENT || errno == ENOTDIR else { throw failure("examine", name) }
        return nil
    }

    /// The attributes of many files, as `status(_:)` returns them, with the number of each.
    ///
    /// Each of `starts` is the position in `bytes` of a name that ends with NUL.
    package func statuses(at starts: [Int], in bytes: [UInt8], _ body: (Int, stat?) -> Void) throws(VTError) {
        for (number, start) in starts.enumerated() {
            var status = stat()
            let result = unsafe bytes[start...].withUnsafeBytes { bytes in
                guard let name = unsafe bytes.bindMemory(to: CChar.self).baseAddress else { return CInt(-1) }
                return unsafe fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW)
            }
            guard result == 0 || errno == ENOENT || errno == ENOTDIR else {
                throw failure("examine", ByteString(bytes[start...].prefix { $0 != 0 }))
            }
            body(number, result == 0 ? status : nil)
        }
    }

    /// What makes a file immovable, besides permissions.
    package struct Limits: Sendable {
        /// Identifies the mount; 0 if it is not known.
        package var mount: UInt64
        package var isImmutable: Bool
        package var isAppendOnly: Bool
    }

    /// The limits of a file in the directory, or of the directory itself if the name is empty; nil if there is no such
    /// file.
    ///
    /// The corresponding C function is `statx`.
    package func limits(_ name: ByteString) throws(VTError) -> Limits? {
        var attributes = ctree_attributes()
        let result = unsafe name.withCString { unsafe ctree_attributes(descriptor.number, $0, &attributes) }
        guard result == 0 else {
            guard result == ENOENT || result == ENOTDIR else { throw error(result, "examine", name) }
            return nil
        }
        return Limits(
            mount: attributes.mount,
            isImmutable: attributes.is_immutable != 0,
            isAppendOnly: attributes.is_append_only != 0
        )
    }

    /// Whether this process may read a file, which is not a symbolic link; the corresponding C function is `faccessat`.
    package func isReadable(_ name: ByteString) -> Bool {
        unsafe name.withCString { unsafe faccessat(descriptor.number, $0, R_OK, 0) } == 0
    }

    /// Whether this process may examine the files in the directory; the corresponding C function is `faccessat`.
    package var isSearchable: Bool { unsafe faccessat(descriptor.number, ".", X_OK, 0) == 0 }

    /// Whether this process may change the names in the directory; the corresponding C function is `faccessat`.
    package var isWritable: Bool { unsafe faccessat(descriptor.number, ".", W_OK | X_OK, 0) == 0 }

    // MARK: - Contents

    /// The names except `.` and `..`, and the kinds of the files.
    package func entries() throws(VTError) -> [(name: ByteString, kind: FileAttributes.Kind)] {
        try unsafe DirectoryListing.entries(stream(), path: path)
    }

    /// The number of names except `.`, `..` and another one.
    package func count(except other: ByteString) throws(VTError) -> Int {
        try unsafe DirectoryListing.count(stream(), except: other, path: path)
    }

    private func stream() throws(VTError) -> OpaquePointer {
        let number = unsafe openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw failure("list", "") }
        guard let stream = unsafe fdopendir(number) else {
            let error = failure("list", "")
            close(number)
            throw error
        }
        return unsafe stream
    }

    /// The first bytes of a regular file; nil if there is none, or if it cannot be read.
    package func contents(_ name: ByteString, limit: Int) -> [UInt8]? {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let number = unsafe name.withCString { unsafe openat(descriptor.number, $0, flags) }
        guard number >= 0 else { return nil }
        let file = FileDescriptor(owning: number)
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0, FileAttributes.Kind(mode: status.st_mode) == .file else {
            return nil
        }
        return try? BlockingIO.read(file.number, limit: limit)
    }

    // MARK: - Errors

    /// Returns the error for a file, or for the directory if the name is empty, derived from errno.
    func failure(_ verb: String, _ name: ByteString) -> VTError { error(errno, verb, name) }

    func error(_ number: CInt, _ verb: String, _ name: ByteString) -> VTError {
        let file = name.bytes.isEmpty ? path : path.appending(name)
        return .system(number, "cannot \(verb) '\(file.repairedText)'")
    }
}
