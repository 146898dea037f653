import CPTY
import Core
import Glibc

/// Reads and replaces whole files.
package enum FileContents {
    /// No file of vt's own, and no file that it reads as a whole, comes near this size.
    package static let limitBytes = 64 << 20

    /// Returns what the file holds, or nil when there is none.
    ///
    /// - Throws: `io` when it cannot be read, `config` when it is larger than `limitBytes`.
    package static func read(_ path: String) throws(VTError) -> [UInt8]? {
        guard let file = try OpenFile(reading: path) else { return nil }
        return try file.readToEnd(limit: limitBytes)
    }

    /// Replaces the file so that every reader sees the old or the new contents whole, also after a crash.
    ///
    /// The caller holds a lock: the new contents first stand in `PATH.new`, of which there is one. Where `path` is a
    /// symbolic link the file that it leads to is replaced. The mode becomes 0600. What is not `isDurable` may be lost
    /// when the system, rather than this process, crashes.
    ///
    /// - Throws: `cannot-create` or `io`; the file is then as it was.
    package static func replace(
        _ path: String,
        with bytes: [UInt8],
        isDurable: Bool = true
    ) throws(VTError) {
        let target = try linkTarget(of: path)
        let temporary = target + ".new"
        unsafe unlink(temporary)
        do throws(VTError) {
            let file = try OpenFile(
                opening: temporary,
                O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
                failure: .cannotCreate
            )
            try file.setMode(0o600)
            try file.writeAll(bytes)
            if isDurable { try file.synchronize() }
            guard unsafe rename(temporary, target) == 0 else {
                throw .system(errno, "cannot replace '\(target)'", fallback: .cannotCreate)
            }
        } catch {
            unsafe unlink(temporary)
            throw error
        }
        guard isDurable else { return }
        try OpenFile(opening: directory(of: target), O_RDONLY | O_DIRECTORY).synchronize()
    }

    /// Gives each of two files the name of the other at once; returns 0 or the errno, EINVAL where that cannot be done.
    ///
    /// The corresponding C function is `renameat2` with RENAME_EXCHANGE.
    package static func exchange(_ first: String, _ second: String) -> CInt {
        unsafe clinux_exchange(first, second)
    }

    /// Writes a file that anybody may read, in place: for what can be made again.
    ///
    /// - Throws: `cannot-create` or `io`; the file may then be cut short.
    package static func overwrite(_ path: String, with bytes: [UInt8]) throws(VTError) {
        let file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644, fallback: .cannotCreate)
        let failure = BlockingIO.write(file.number, bytes)
        guard failure == 0 else { throw .system(failure, "cannot write '\(path)'") }
    }

    /// Makes a directory of mode 0700 with all that it lies in; what exists stays as it is.
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

    /// Returns 0 when the directory is there now, else the errno; the corresponding C function is `mkdir`.
    private static func madeDirectory(_ path: String) -> CInt {
        if unsafe mkdir(path, 0o700) == 0 { return 0 }
        let failure = errno
        return failure == EEXIST ? 0 : failure
    }

    /// The path without its last part: `/a/b` gives `/a`, `b` gives `.`, `/` gives `/`.
    package static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Follows symbolic links, also to a file that does not exist yet.
    ///
    /// At most 40 links, as Linux itself does (path_resolution(7)).
    private static func linkTarget(of path: String) throws(VTError) -> String {
        var current = path
        for _ in 0..<40 {
            guard let link = link(at: current) else { return current }
            current = link.hasPrefix("/") ? link : "\(directory(of: current))/\(link)"
        }
        throw VTError(.io, "cannot follow '\(path)': \(systemErrorText(ELOOP))")
    }

    /// What the symbolic link holds; nil where there is none.
    ///
    /// The corresponding C function is `readlink`.
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
