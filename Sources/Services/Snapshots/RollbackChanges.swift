import Core
import Glibc
import System

/// Makes the changes of a plan in a tree.
struct RollbackChanges {
    let plan: RollbackPlan
    let root: TreeDirectory
    /// The saved files to replace, remove or change, as they were when they were compared with what is saved.
    let versions: [ByteString: FileVersion]
    let access: WritableDirectories
    /// The inodes of files with several links, one of which has been replaced or removed.
    var relinked: Set<ino_t> = []

    /// Removes and replaces files.
    ///
    /// - Throws: `busy` when a file has changed since it was saved.
    mutating func perform(_ stage: RollbackStage?) throws(VTError) {
        for path in plan.removals {
            let directory = try access.open(parent(of: path))
            guard let version = try current(path, in: directory) else { continue }
            guard let stage, try stage.takeAway(path.lastName, from: directory, version) else {
                throw Self.changing(path)
            }
            Fault.point(.rollbackRemoving)
        }
        for path in plan.removedDirectories {
            _ = try access.open(parent(of: path)).removeEmptyDirectory(path.lastName)
        }
        Fault.point(.rollbackRemoved)
        for path in plan.madeDirectories { try access.open(parent(of: path)).makeDirectory(path.lastName) }
        for (index, entry) in plan.writes.enumerated() {
            let directory = try access.open(parent(of: entry.path))
            let version = try current(entry.path, in: directory)
            guard let stage, try stage.place(index, in: directory, replacing: version) else {
                throw Self.changing(entry.path)
            }
            Fault.point(.rollbackReplacing)
        }
        for path in plan.changedModes {
            guard let mode = plan.modes.files[path] else { continue }
            let directory = try root.directory(parent(of: path), staysOnMount: true)
            guard let directory, let version = versions[path],
                try directory.setMode(path.lastName, mode_t(mode), of: version)
            else { throw Self.changing(path) }
        }
        Fault.point(.rollbackReplaced)
    }

    /// Sets the modes of all directories that have another one, those inside others first.
    static func setModes(of plan: RollbackPlan, root: TreeDirectory) throws(VTError) {
        let directories = plan.modes.directories.sorted { $1.key.bytes.lexicographicallyPrecedes($0.key.bytes) }
        for (path, mode) in directories {
            guard let directory = try root.directory(path), try directory.status().st_mode & 0o7777 != mode_t(mode),
                let directory = try root.directory(path, staysOnMount: true)
            else { continue }
            try directory.setMode(mode_t(mode))
        }
    }

    static func changing(_ path: ByteString) -> VTError {
        VTError(
            .busy,
            "'\(path.repairedText)' has changed during the rollback, which is therefore incomplete",
            hint: "stop the programs that write to the tree, and repeat the rollback"
        )
    }

    // MARK: -

    private func parent(of path: ByteString) -> ByteString { path.parentDirectories.first ?? "" }

    /// The version of a file; nil if there is none.
    ///
    /// - Throws: `busy` when it is not as it was saved.
    private mutating func current(_ path: ByteString, in directory: TreeDirectory) throws(VTError) -> FileVersion? {
        let status = try directory.status(path.lastName)
        let version = status.map { FileVersion($0) }
        guard version == versions[path] || isRelinked(status, versions[path]) else { throw Self.changing(path) }
        if let status, status.st_nlink > 1 { relinked.insert(status.st_ino) }
        return version
    }

    /// Whether only the number of links to a file has changed, because of this rollback.
    private func isRelinked(_ status: stat?, _ version: FileVersion?) -> Bool {
        guard let status, let version else { return false }
        return relinked.contains(status.st_ino) && version.equalsIgnoringLinks(FileVersion(status))
    }
}
