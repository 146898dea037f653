import Core
import Glibc
import POSIX
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

        /// What the file says about hosts of these names; nil: about all.
        mutating func contents(matching names: [String]?, path: String) -> KnownHostsFile {
            KnownHostsFile(
                path: path,
                entries: names.map { index.entries(matching: $0) } ?? index.entries,
                damagedLines: index.damagedLines
            )
        }
    }

    private let cache = Mutex<[String: CachedFile]>([:])
    private let noted = Mutex<Set<String>>([])

    /// What a file says about hosts of these names, with all lines that are not understood; nil when it does not exist.
    ///
    /// Names are those of `Endpoint.knownHostsName`; nil stands for all hosts.
    ///
    /// - Throws: `io` when it cannot be read.
    func contents(of path: String, matching names: [String]? = nil) throws(VTError) -> KnownHostsFile? {
        do throws(VTError) {
            guard let file = try OpenFile(reading: path) else { return nil }
            let version = Version(try file.status())
            let cached: KnownHostsFile? = cache.withLock { cache in
                guard cache[path]?.version == version else { return nil }
                return cache[path]?.contents(matching: names, path: path)
            }
            if let cached { return cached }
            let bytes = try file.readToEnd(limit: FileContents.limitBytes)
            var read = CachedFile(version: version, index: KnownHostsIndex(parsing: bytes, file: path))
            let contents = read.contents(matching: names, path: path)
            cache.withLock { [read] in $0[path] = read }
            return contents
        } catch {
            var error = error
            if error.hint == nil { error.hint = "ls -ld \(ByteString(path).shellQuoted.repairedText)" }
            throw error
        }
    }

    /// Whether damaged lines of the file are still to be told; true once.
    func takeNotice(of path: String) -> Bool {
        noted.withLock { $0.insert(path).inserted }
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
            cache[path]?.index.append(lines, file: path)
            cache[path]?.version = after
        }
    }
}
