import Core
import Glibc

/// Lists directories.
package enum DirectoryListing {
    /// The names in a directory except `.` and `..`; empty if the directory does not exist.
    package static func names(in path: String) throws(VTError) -> [String] {
        var names: [String] = []
        let path = ByteString(path)
        guard let stream = try unsafe open(path) else { return [] }
        try unsafe forEach(in: stream, path: path) { name, _ throws(VTError) in
            names.append(unsafe String(decoding: name, as: UTF8.self))
        }
        return names
    }

    /// The names in a directory except `.` and `..`, which can be any bytes.
    ///
    /// - Throws: `not-found` if the directory does not exist.
    package static func names(inExisting path: ByteString) throws(VTError) -> [ByteString] {
        var names: [ByteString] = []
        guard let stream = try unsafe open(path, mustExist: true) else { return [] }
        try unsafe forEach(in: stream, path: path) { name, _ throws(VTError) in
            names.append(ByteString(unsafe [UInt8](name)))
        }
        return names
    }

    /// The names in a directory except `.` and `..`, which can be any bytes, and the kinds of the files; empty if the
    /// directory does not exist.
    ///
    /// A symbolic link is not followed. The corresponding C functions are `opendir` and `readdir`.
    package static func entries(
        in path: ByteString
    ) throws(VTError) -> [(name: ByteString, kind: FileAttributes.Kind)] {
        guard let stream = try unsafe open(path) else { return [] }
        return try unsafe entries(stream, path: path)
    }

    /// The number of names in the stream's directory except `.`, `..` and another one; closes the stream.
    static func count(
        _ stream: OpaquePointer,
        except other: ByteString,
        path: ByteString
    ) throws(VTError) -> Int {
        var count = 0
        try unsafe forEach(in: stream, path: path) { name, _ throws(VTError) in
            if unsafe !name.elementsEqual(other.bytes) { count += 1 }
        }
        return count
    }

    /// The names in the stream's directory as `entries(in:)` returns them; closes the stream.
    static func entries(
        _ stream: OpaquePointer,
        path: ByteString
    ) throws(VTError) -> [(name: ByteString, kind: FileAttributes.Kind)] {
        var entries: [(name: ByteString, kind: FileAttributes.Kind)] = []
        let directory = unsafe dirfd(stream)
        try unsafe forEach(in: stream, path: path) { bytes, type throws(VTError) in
            let name = ByteString(unsafe [UInt8](bytes))
            entries.append((name, kind(type, of: name, in: directory)))
        }
        return entries
    }

    private static func open(_ path: ByteString, mustExist: Bool = false) throws(VTError) -> OpaquePointer? {
        if let stream = unsafe path.withCString({ unsafe opendir($0) }) { return unsafe stream }
        guard mustExist || errno != ENOENT else { return nil }
        throw .system(errno, "cannot list '\(path.repairedText)'")
    }

    /// Passes the names and the types (readdir(3)) of the entries except `.` and `..`, and closes the stream.
    private static func forEach(
        in stream: OpaquePointer,
        path: ByteString,
        _ body: (UnsafeRawBufferPointer.SubSequence, UInt8) throws(VTError) -> Void
    ) throws(VTError) {
        defer { unsafe closedir(stream) }
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            try unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes throws(VTError) in
                let name = unsafe bytes.prefix { $0 != 0 }
                let isSpecial = unsafe name.count <= 2 && name.allSatisfy { $0 == UInt8(ascii: ".") }
                if !isSpecial { try unsafe body(name, entry.pointee.d_type) }
            }
        }
        guard errno == 0 else { throw .system(errno, "cannot list '\(path.repairedText)'") }
    }

    /// The kind of an entry; some file systems do not report it with the name (readdir(3)).
    private static func kind(_ type: UInt8, of name: ByteString, in directory: CInt) -> FileAttributes.Kind {
        switch Int(type) {
        case Int(DT_REG): return .file
        case Int(DT_DIR): return .directory
        case Int(DT_LNK): return .link
        case Int(DT_UNKNOWN):
            var status = stat()
            let result = unsafe name.withCString { unsafe fstatat(directory, $0, &status, AT_SYMLINK_NOFOLLOW) }
            return result == 0 ? FileAttributes.Kind(mode: status.st_mode) : .other
        default: return .other
        }
    }
}
