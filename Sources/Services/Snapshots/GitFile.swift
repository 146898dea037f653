import Core
import Glibc
import System

/// Files that git reads by itself.
///
/// git waits for a FIFO until something writes to it, and reads devices without an end.
enum GitFile {
    /// Whether git reads a file in a work tree because of its name.
    static func isRead(_ name: ByteString) -> Bool { name == ".gitignore" || name == ".gitattributes" }

    /// - Throws: `data.invalid` for a file that git would wait for; nothing if there is none.
    static func check(_ path: ByteString) throws(VTError) {
        var status = stat()
        guard unsafe path.withCString({ unsafe stat($0, &status) }) == 0 else { return }
        if [S_IFIFO, S_IFCHR, S_IFBLK].contains(status.st_mode & S_IFMT) { throw wouldBlock(path) }
    }

    /// - Throws: `data.invalid` if a directory has a file that git would wait for.
    static func check(in directory: TreeDirectory, _ path: ByteString) throws(VTError) {
        for name in [".gitignore", ".gitattributes"] as [ByteString] {
            guard let status = try directory.status(name) else { continue }
            if FileAttributes.Kind(mode: status.st_mode) == .other { throw wouldBlock(path.appending(name)) }
        }
    }

    /// Whether there is a file at a path.
    static func exists(_ path: ByteString) -> Bool {
        unsafe path.withCString { unsafe access($0, F_OK) } == 0
    }

    /// The contents of a regular file; nil if there is none, if it is larger, or if it cannot be read.
    static func contents(_ path: ByteString, limit: Int = FileContents.limitBytes) -> [UInt8]? {
        let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let number = unsafe path.withCString { unsafe open($0, flags) }
        guard number >= 0 else { return nil }
        let file = OpenFile(FileDescriptor(owning: number), path: path.repairedText)
        guard let status = try? file.status(), FileAttributes.Kind(mode: status.st_mode) == .file,
            status.st_size <= limit
        else { return nil }
        // Like git, which ignores a file that cannot be read.
        return try? file.readToEnd(limit: limit)
    }

    static func wouldBlock(_ path: ByteString) -> VTError {
        VTError(
            .dataInvalid,
            "'\(path.repairedText)' is a FIFO, a socket or a device, which git could wait for",
            hint: "remove the file"
        )
    }
}
