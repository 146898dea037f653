import Core
import Glibc
import POSIX

/// Keeps a few files in the user's cache directory (XDG Base Directory Specification).
///
/// The directory has mode 0700, the files 0600. If the cache is full, adding a file evicts the least recently used one.
package struct FileDerivedCache: DerivedCache {
    private let directory: String
    private let limitFiles: Int

    /// `directory` is created when the first file is stored.
    package init(directory: String, limitFiles: Int = 16) {
        self.directory = directory
        self.limitFiles = limitFiles
    }

    package func contents(_ name: String) -> [UInt8]? {
        guard let contents = try? TrustedPath.read(path(name)) else { return nil }
        // The modification time records the last use; if the time cannot be set, the file is merely evicted earlier.
        _ = unsafe utimensat(AT_FDCWD, path(name), nil, 0)
        return contents
    }

    package func keep(_ contents: [UInt8], as name: String) throws(VTError) {
        try TrustedPath.make(directory: directory)
        try FileLock(at: "\(directory)/lock").hold { () throws(VTError) in
            makeRoom(for: name)
            try FileContents.replace(path(name), with: contents, isDurable: false)
        }
    }

    private func path(_ name: String) -> String {
        "\(directory)/\(name)"
    }

    /// Removes the least recently used files if the cache is full; if a file cannot be removed, the cache grows
    /// slightly.
    private func makeRoom(for name: String) {
        let names = ((try? DirectoryListing.names(in: directory)) ?? []).filter { $0 != "lock" && $0 != name }
        guard names.count >= limitFiles else { return }
        let oldest = names.sorted { usedAt($0) < usedAt($1) }
        for name in oldest.prefix(names.count - limitFiles + 1) { unsafe unlink(path(name)) }
    }

    private func usedAt(_ name: String) -> Int {
        var status = stat()
        guard unsafe lstat(path(name), &status) == 0 else { return 0 }
        return status.st_mtim.tv_sec
    }
}
