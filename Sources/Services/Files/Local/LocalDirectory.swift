import Core
import Glibc
import Synchronization
import System

/// The entries of a directory on this machine; all names are read up front, and attributes are read on request.
final class LocalDirectory: DirectoryReader {
    private let path: ByteString
    private let names: Mutex<ArraySlice<ByteString>>

    /// The number of entries that `next` returns.
    private static let batch = 256

    /// - Throws: `not-found`, `io`.
    init(_ path: ByteString) throws(VTError) {
        self.path = path
        names = Mutex(try Self.names(in: path)[...])
    }

    func next() async throws(VTError) -> [DirectoryEntry]? {
        let batch = names.withLock { names in
            defer { names = names.dropFirst(Self.batch) }
            return Array(names.prefix(Self.batch))
        }
        guard !batch.isEmpty else { return nil }
        var entries: [DirectoryEntry] = []
        for name in batch {
            let file = path.appending(name)
            // A file that has been removed in the meantime is no longer an entry.
            if let attributes = try await LocalFileSystem().attributes(of: file, followsLinks: false) {
                entries.append(DirectoryEntry(name: name, attributes: attributes))
            }
        }
        return entries
    }

    func close() async {}

    /// The corresponding C functions are `opendir` and `readdir`.
    private static func names(in path: ByteString) throws(VTError) -> [ByteString] {
        guard let stream = unsafe path.withCString({ unsafe opendir($0) }) else {
            throw .system(errno, "cannot list '\(path.repairedText)'")
        }
        defer { unsafe closedir(stream) }
        var names: [ByteString] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe ByteString($0.prefix { $0 != 0 }) }
            if name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw .system(errno, "cannot list '\(path.repairedText)'") }
        return names
    }
}
