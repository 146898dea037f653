import CLinux
import Core
import Glibc

/// Reads and replaces whole files.
package enum FileContents {
    /// The maximum size of a file to read; every valid file that vt reads as a whole is smaller.
    package static let limitBytes = 64 << 20

    /// Returns the file's contents, or nil if it does not exist.
    ///
    /// - Throws: `io` when it cannot be read, `config` when it is larger than `limitBytes`.
    package static func read(_ path: String) throws(VTError) -> [UInt8]? {
        guard let file = try OpenFile(reading: path) else { return nil }
        return try file.readToEnd(limit: limitBytes)
    }

    /// Replaces the file so that every reader sees the complete old or new contents, even after a crash.
    ///
    /// The caller must hold a lock, because the new contents are first written to `PATH.new`. If `path` is a symbolic
    /// link, its target is replaced. The mode becomes 0600. Unless `isDurable`, the change can be lost if the system
    /// crashes, but not if only this process crashes. Blocks are allocated for at least `reservedBytes`.
    ///
    /// - Throws: `cannot-create` or `io`; the file is then unchanged, unless only syncing its directory failed.
    package static func replace(
        _ path: String,
        with bytes: [UInt8],
        isDurable: Bool = true,
        reservedBytes: Int = 0
    ) throws(VTError) {
        let target = try linkTarget(of: path)
        let file = try AtomicFile(replacing: target)
        if reservedBytes > 0 { try file.reserve(reservedBytes) }
        try file.write(bytes)
        try file.commit(isDurable: isDurable)
        guard isDurable else { return }
        try OpenFile(opening: directory(of: target), O_RDONLY | O_DIRECTORY).synchronize()
    }

    /// Makes `path` a link to `target`, atomically replacing an existing link.
    package static func replaceLink(_ path: String, with target: String) throws(VTError) {
        let fresh = "\(path).\(RandomIdentifier.make())"
        guard unsafe symlink(target, fresh) == 0 else {
            throw .system(errno, "cannot create '\(path)'", fallback: .cannotCreate)
        }
        guard unsafe rename(fresh, path) == 0 else {
            let failure = errno
            _ = unsafe unlink(fresh)
            throw .system(failure, "cannot create '\(path)'", fallback: .cannotCreate)
        }
    }

    /// Atomically exchanges two files; returns 0 or the errno, EINVAL if the file system does not support it.
    ///
    /// The corresponding C function is `renameat2` with RENAME_EXCHANGE.
    package static func exchange(_ first: String, _ second: String) -> CInt {
        unsafe clinux_exchange(first, second)
    }

    /// Writes a world-readable file in place, for data that can be recreated.
    ///
    /// - Throws: `cannot-create` or `io`; the file might then be truncated.
    package static func overwrite(_ path: String, with bytes: [UInt8]) throws(VTError) {
        let file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644, fallback: .cannotCreate)
        let failure = BlockingIO.write(file.number, bytes)
        guard failure == 0 else { throw .system(failure, "cannot write '\(path)'") }
    }

    /// Gives a file that may not exist another name as well; the corresponding C function is `link`.
    package static func link(_ path: String, to newPath: String) throws(VTError) {
        guard unsafe Glibc.link(path, newPath) == 0 || errno == ENOENT else {
            throw .system(errno, "cannot create '\(newPath)'", fallback: .cannotCreate)
        }
    }

    /// Gives a file another name, and replaces any file with it; the corresponding C function is `rename`.
    package static func move(_ path: String, to newPath: String) throws(VTError) {
        guard unsafe rename(path, newPath) == 0 else { throw .system(errno, "cannot replace '\(newPath)'") }
    }

    /// Removes a directory of vt's own with its contents as far as possible, except other file systems.
    package static func removeTree(_ path: String) {
        unsafe clinux_remove_tree(path)
    }

    /// Removes a file, if it exists; the corresponding C function is `unlink`.
    ///
    /// - Throws: `cannot-create`.
    package static func remove(_ path: String) throws(VTError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw VTError(.cannotCreate, "cannot remove '\(path)': \(systemErrorText(errno))")
        }
    }

    /// Creates a directory and its missing parents with mode 0700; existing directories are unchanged.
    ///
    /// - Throws: `cannot-create`.
    package static func makeDirectory(_ path: String) throws(VTError) {
        var failure = madeDirectory(path)
        let parent = directory(of: path)
        if failure == ENOENT, parent != path {
            try makeDirectory(parent)
            failure = madeDirectory(path)
        }
        guard failure == 0 else {
            throw VTError(.cannotCreate, "cannot create '\(path)': \(systemErrorText(failure))")
        }
    }

    /// Returns 0 if the directory now exists, otherwise the errno; the corresponding C function is `mkdir`.
    private static func madeDirectory(_ path: String) -> CInt {
        if unsafe mkdir(path, 0o700) == 0 { return 0 }
        let failure = errno
        return failure == EEXIST ? 0 : failure
    }

    /// The path without its last component: `/a/b` gives `/a`, `b` gives `.`, `/` gives `/`.
    package static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Resolves symbolic links, including those to a file that does not exist yet.
    ///
    /// Follows at most 40 links, like Linux itself (path_resolution(7)).
    private static func linkTarget(of path: String) throws(VTError) -> String {
        var current = path
        for _ in 0..<40 {
            guard let link = link(at: current) else { return current }
            current = link.hasPrefix("/") ? link : "\(directory(of: current))/\(link)"
        }
        throw VTError(.io, "cannot follow '\(path)': \(systemErrorText(ELOOP))")
    }

    /// Returns the target of a symbolic link; nil if there is no link at the path.
    package static func link(at path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe buffer.withUnsafeMutableBufferPointer { bytes -> Int in
            guard let start = bytes.baseAddress else { return -1 }
            return unsafe readlink(path, start, bytes.count)
        }
        guard count >= 0 else { return nil }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
