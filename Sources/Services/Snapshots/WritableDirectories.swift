import Core
import Glibc
import Synchronization
import System

/// Opens directories of a tree for changes, and makes them writable for that, which they need not be.
final class WritableDirectories: Sendable {
    private let root: TreeDirectory
    /// The directories that have been changed, with their earlier modes.
    private let changed = Mutex<[ByteString: (number: ino_t, mode: mode_t)]>([:])
    private static let neededMode: mode_t = 0o700

    init(root: TreeDirectory) {
        self.root = root
    }

    /// The directories that have been changed.
    var opened: [ByteString] { changed.withLock { Array($0.keys) } }

    /// Opens a directory, relative to the tree, and adds the owner's permissions if it lacks any.
    ///
    /// - Throws: `busy` when it does not exist any more.
    func open(_ path: ByteString) throws(VTError) -> TreeDirectory {
        guard let directory = try root.directory(path, staysOnMount: true) else { throw RollbackChanges.changing(path) }
        guard !directory.isWritable else { return directory }
        let status = try directory.status()
        let mode = status.st_mode & 0o7777
        try directory.setMode(mode | Self.neededMode)
        changed.withLock { $0[path] = $0[path] ?? (status.st_ino, mode) }
        return directory
    }

    /// Restores the mode of a directory, unless it has been removed or replaced.
    func restore(_ path: ByteString) throws(VTError) {
        guard let (number, mode) = changed.withLock({ $0[path] }),
            let directory = try root.directory(path, staysOnMount: true), try directory.status().st_ino == number
        else { return }
        try directory.setMode(mode)
    }

    /// Restores the modes of all directories, those inside others first.
    func restore() throws(VTError) {
        for path in opened.sorted(by: { $1.bytes.lexicographicallyPrecedes($0.bytes) }) { try restore(path) }
    }
}
