import Core
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
        names = Mutex(try DirectoryListing.names(inExisting: path)[...])
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
}
