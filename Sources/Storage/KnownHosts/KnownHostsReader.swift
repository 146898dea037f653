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

    private struct CachedFile {
        var version: Version
        var index: KnownHostsIndex

        /// Lets `body` look in the index in place.
        mutating func use(_ body: (inout KnownHostsIndex) -> [KnownHostsEntry]) -> [KnownHostsEntry] {
            body(&index)
        }
    }

    private let cache = Mutex<[String: CachedFile]>([:])

    /// The entries of a file; none when the file does not exist.
    ///
    /// - Throws: `io` when it cannot be read, `config` when a line is malformed.
    func entries(of path: String) throws(VTError) -> [KnownHostsEntry] {
        try read(path) { $0.entries }
    }

    /// The entries of a file that match one of the names; none when the file does not exist.
    ///
    /// Names are those of `Endpoint.knownHostsName`.
    ///
    /// - Throws: `io` when it cannot be read, `config` when a line is malformed.
    func entries(of path: String, matching names: [String]) throws(VTError) -> [KnownHostsEntry] {
        try read(path) { $0.entries(matching: names) }
    }

    /// Takes note of whole lines that this process has added to a file, so that it need not be read again.
    ///
    /// `before` and `after` are the states of the file around the write, during which the writer's lock was held. The
    /// file is read again where they do not tell that these lines are all that has changed.
    func appended(_ lines: [UInt8], to path: String, before: stat, after: stat) {
        let after = Version(after)
        cache.withLock { cache in
            guard let version = cache[path]?.version, version == Version(before),
                after.size == version.size + lines.count
            else { return }
            do throws(VTError) {
                try cache[path]?.index.append(lines, file: path)
                cache[path]?.version = after
            } catch {
                cache[path] = nil
            }
        }
    }

    private func read(
        _ path: String,
        _ body: (inout KnownHostsIndex) -> [KnownHostsEntry]
    ) throws(VTError) -> [KnownHostsEntry] {
        do throws(VTError) {
            guard let file = try OpenFile(reading: path) else { return [] }
            let version = Version(try file.status())
            let cached: [KnownHostsEntry]? = cache.withLock { cache in
                guard cache[path]?.version == version else { return nil }
                return cache[path]?.use(body)
            }
            if let cached { return cached }
            var index = try KnownHostsIndex(
                parsing: try file.readToEnd(limit: FileContents.limitBytes),
                file: path
            )
            let entries = body(&index)
            cache.withLock { $0[path] = CachedFile(version: version, index: index) }
            return entries
        } catch {
            var error = error
            if error.hint == nil { error.hint = "ls -ld \(ByteString(path).shellQuoted.repairedText)" }
            throw error
        }
    }
}
