import Core
import Glibc
import Synchronization

/// Reads known_hosts files, each again only after it has changed.
///
/// Many hosts are checked in one run, and the user's file may hold thousands of lines.
final class KnownHostsReader: Sendable {
    private struct Version: Equatable {
        var device: UInt
        var inode: UInt
        var size: Int
        var seconds: Int
        var nanoseconds: Int

        init(_ status: stat) {
            device = status.st_dev
            inode = status.st_ino
            size = status.st_size
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
        }
    }

    private let cache = Mutex<[String: (version: Version, entries: [KnownHostsEntry])]>([:])

    /// The entries of a file; none when the file does not exist.
    ///
    /// - Throws: `io` when it cannot be read, `config` when a line is malformed.
    func entries(of path: String) throws(VTError) -> [KnownHostsEntry] {
        do throws(VTError) {
            guard let file = try OpenFile(reading: path) else { return [] }
            let version = Version(try file.status())
            if let cached = cache.withLock({ $0[path] }), cached.version == version { return cached.entries }
            let bytes = try file.readToEnd(limit: FileContents.limitBytes)
            let entries = try KnownHostsParser.parse(bytes, file: path)
            cache.withLock { $0[path] = (version, entries) }
            return entries
        } catch {
            var error = error
            if error.hint == nil { error.hint = "ls -ld \(ByteString(path).shellQuoted.repairedText)" }
            throw error
        }
    }
}
