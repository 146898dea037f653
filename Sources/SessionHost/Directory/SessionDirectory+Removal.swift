import Core
import Glibc
import System

extension SessionDirectory {
    /// Creates the directory of a session with its lock held; the session cannot be found before it is locked.
    ///
    /// - Throws: `cannot-create`.
    func makeLocked(_ id: SessionID) throws(VTError) -> FileDescriptor {
        let files = files(of: id)
        let unnamed = files.directory + Self.unnamedSuffix
        guard unsafe mkdir(unnamed, 0o700) == 0 else {
            throw .system(errno, "cannot create '\(unnamed)'", fallback: .cannotCreate)
        }
        do throws(VTError) {
            Fault.point(.createDirectory)
            let path = "\(unnamed)/\(SessionFiles.lockName)"
            guard let lock = try FileLock.acquire(path, O_RDWR | O_CREAT | O_NOFOLLOW, timeout: .seconds(1)) else {
                throw VTError(.busy, "cannot lock '\(path)': another process holds the lock")
            }
            guard unsafe rename(unnamed, files.directory) == 0 else {
                throw .system(errno, "cannot create '\(files.directory)'", fallback: .cannotCreate)
            }
            return lock
        } catch {
            // If this fails, the directory is removed later, like one left by a crash.
            try? removeContents(unnamed)
            throw error
        }
    }

    /// Removes all files of a session; missing files are not an error.
    ///
    /// The directory is renamed first, so that the session disappears atomically.
    ///
    /// - Throws: `io`; the remaining files are removed by `finishRemovals`.
    func removeFiles(of id: SessionID) throws(VTError) {
        let present = files(of: id).directory
        let removed = present + Self.removedSuffix
        guard unsafe rename(present, removed) == 0 || errno == ENOENT else {
            throw .system(errno, "cannot remove '\(present)'")
        }
        try removeContents(removed)
    }

    /// Removes the hook of a session's shell, before another shell is started.
    ///
    /// - Throws: `io`.
    func removeHook(of id: SessionID) throws(VTError) {
        let hook = files(of: id).shell
        guard unsafe access(hook, F_OK) == 0 else { return }
        try removeContents(hook)
    }

    /// Removes files left by interrupted creations and removals of sessions.
    func finishRemovals(among names: [String]) {
        for name in names {
            let isAbandoned = name.hasSuffix(Self.unnamedSuffix) && isOld("\(path)/\(name)")
            guard name.hasSuffix(Self.removedSuffix) || isAbandoned else { continue }
            // If this fails, it is retried next time; the remaining files do no harm.
            try? removeContents("\(path)/\(name)")
        }
    }

    /// Whether a directory without its final name is abandoned; it normally gets that name within milliseconds.
    private func isOld(_ directory: String) -> Bool {
        var status = stat()
        guard unsafe lstat(directory, &status) == 0 else { return false }
        return Timestamp.now().seconds - Int64(status.st_mtim.tv_sec) > 600
    }

    /// Removes a directory with its contents, including subdirectories, although vt does not create any.
    ///
    /// Several processes can do this concurrently.
    private func removeContents(_ directory: String) throws(VTError) {
        for name in try DirectoryListing.names(in: directory) {
            let path = "\(directory)/\(name)"
            if unsafe unlink(path) == 0 || errno == ENOENT { continue }
            guard errno == EISDIR else { throw .system(errno, "cannot remove '\(path)'") }
            try removeContents(path)
        }
        guard unsafe rmdir(directory) == 0 || errno == ENOENT else {
            throw .system(errno, "cannot remove '\(directory)'")
        }
    }

    /// The suffix of a session's directory while it is being removed; with it, the name is not a session ID.
    private static let removedSuffix = ".removed"
    /// The suffix of a session's directory until the session is locked; with it, the name is not a session ID.
    private static let unnamedSuffix = ".new"
}
