import Core
import Glibc
import Synchronization
import System

/// Makes directories of a tree writable for the owner, which they need not be.
final class WritableDirectories: Sendable {
    private let root: ByteString
    /// The earlier modes of the directories that have been changed.
    private let modes = Mutex<[ByteString: mode_t]>([:])
    private static let neededMode: mode_t = 0o700

    init(root: ByteString) {
        self.root = root
    }

    /// The directories that have been changed.
    var opened: [ByteString] { modes.withLock { Array($0.keys) } }

    /// Adds the owner's permissions to a directory, relative to the tree, if it lacks any.
    func open(_ directory: ByteString) throws(VTError) {
        let path = path(of: directory)
        guard let status = try TreeFile.status(path), status.st_mode & 0o170000 == 0o040000 else { return }
        let mode = status.st_mode & 0o7777
        guard mode & Self.neededMode != Self.neededMode else { return }
        try TreeFile.setMode(path, mode | Self.neededMode)
        modes.withLock { $0[directory] = $0[directory] ?? mode }
    }

    /// Restores the mode of a directory, unless it has been removed or replaced by a file.
    func restore(_ directory: ByteString) throws(VTError) {
        let path = path(of: directory)
        guard let mode = modes.withLock({ $0[directory] }), let status = try TreeFile.status(path),
            status.st_mode & 0o170000 == 0o040000
        else { return }
        try TreeFile.setMode(path, mode)
    }

    /// Restores the modes of all directories.
    func restore() throws(VTError) {
        for directory in opened { try restore(directory) }
    }

    private func path(of directory: ByteString) -> ByteString {
        directory.bytes.isEmpty ? root : root.appending(directory)
    }
}
