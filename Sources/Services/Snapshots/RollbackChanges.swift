import Core
import Glibc
import System

/// Makes the changes of a plan in a tree.
struct RollbackChanges {
    let plan: RollbackPlan
    let root: ByteString
    /// The saved files to replace or remove, as they were when they were compared with what is saved.
    let versions: [ByteString: FileVersion]
    let access: WritableDirectories
    /// The inodes of files with several links, one of which has been replaced or removed.
    var relinked: Set<ino_t> = []

    /// Removes and replaces files.
    ///
    /// - Throws: `busy` when a file has changed since it was saved.
    mutating func perform(_ stage: RollbackStage) throws(VTError) {
        for path in plan.removals {
            try open(parentOf: path)
            try check(path)
            try TreeFile.remove(root.appending(path))
            Fault.point(.rollbackRemoving)
        }
        for path in plan.removedDirectories {
            try open(parentOf: path)
            _ = try TreeFile.removeEmptyDirectory(root.appending(path))
        }
        Fault.point(.rollbackRemoved)
        for path in plan.madeDirectories {
            try open(parentOf: path)
            try makeDirectory(path)
        }
        for (index, entry) in plan.writes.enumerated() {
            try open(parentOf: entry.path)
            try check(entry.path)
            try stage.place(index)
            Fault.point(.rollbackReplacing)
        }
        for path in plan.changedModes {
            guard let mode = plan.modes.files[path] else { continue }
            try TreeFile.setMode(root.appending(path), mode_t(mode))
        }
        Fault.point(.rollbackReplaced)
    }

    /// Sets the modes of all directories that have another one, those inside others first.
    static func setModes(of plan: RollbackPlan, root: ByteString) throws(VTError) {
        let directories = plan.modes.directories.sorted { $1.key.bytes.lexicographicallyPrecedes($0.key.bytes) }
        for (directory, mode) in directories {
            let path = directory.bytes.isEmpty ? root : root.appending(directory)
            guard let status = try TreeFile.status(path), status.st_mode & 0o7777 != mode_t(mode) else { continue }
            try TreeFile.setMode(path, mode_t(mode))
        }
    }

    // MARK: -

    private func open(parentOf path: ByteString) throws(VTError) {
        try access.open(path.parentDirectories.first ?? "")
    }

    /// Creates a directory, unless an earlier rollback has created it.
    private func makeDirectory(_ path: ByteString) throws(VTError) {
        if let status = try TreeFile.status(root.appending(path)), status.st_mode & 0o170000 == 0o040000 { return }
        try TreeFile.makeDirectory(root.appending(path), mode: 0o700)
    }

    /// - Throws: `busy` when a file is not as it was saved.
    private mutating func check(_ path: ByteString) throws(VTError) {
        let status = try TreeFile.status(root.appending(path))
        guard status.map({ FileVersion($0) }) == versions[path] || isRelinked(status, versions[path]) else {
            throw VTError(
                .busy,
                "'\(path.repairedText)' has changed during the rollback, which is therefore incomplete",
                hint: "stop the programs that write to the tree, and repeat the rollback"
            )
        }
        if let status, status.st_nlink > 1 { relinked.insert(status.st_ino) }
    }

    /// Whether only the number of links to a file has changed, because of this rollback.
    private func isRelinked(_ status: stat?, _ version: FileVersion?) -> Bool {
        guard let status, let version else { return false }
        return relinked.contains(status.st_ino) && version.equalsIgnoringLinks(FileVersion(status))
    }
}
