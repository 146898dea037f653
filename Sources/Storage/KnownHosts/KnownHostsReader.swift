import Core
import Glibc
import Synchronization
import System

/// Reads known_hosts files; reads a file again only after it has changed.
///
/// One run can check many hosts, and the user's file can contain thousands of lines.
final class KnownHostsReader: Sendable {
    private struct CachedFile {
        var version: FileVersion
        var index: KnownHostsIndex

        /// The entries for hosts with these names; nil means all hosts.
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

    /// The entries of a file for hosts with these names, with all malformed lines; nil if the file does not exist.
    ///
    /// Names have the format of `Endpoint.knownHostsName`; nil means all hosts.
    ///
    /// - Throws: `io` when the file cannot be read.
    func contents(of path: String, matching names: [String]? = nil) throws(VTError) -> KnownHostsFile? {
        do throws(VTError) {
            guard let file = try OpenFile(reading: path) else { return nil }
            let version = FileVersion(try file.status())
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

    /// Returns true on the first call for a file, so that its damaged lines are reported once.
    func claimNotice(of path: String) -> Bool {
        noted.withLock { $0.insert(path).inserted }
    }

    /// Records complete lines that this process appended to a file, so that it need not be read again.
    ///
    /// `before` and `after` are the file's status before and after the write, during which the writer's lock was held.
    /// The file is read again unless the statuses show that only these lines were added.
    func appended(_ lines: [UInt8], to path: String, before: stat, after: stat) {
        let after = FileVersion(after)
        cache.withLock { cache in
            guard let version = cache[path]?.version, version == FileVersion(before),
                after.sizeBytes == version.sizeBytes + lines.count
            else { return }
            cache[path]?.index.append(lines, file: path)
            cache[path]?.version = after
        }
    }
}
