import Core
import Glibc
import System

/// Checks that the changes of a plan lose nothing that is not saved, and that they can be made.
struct RollbackGuard: Sendable {
    private let plan: RollbackPlan
    private let root: TreeDirectory
    private let removals: Set<ByteString>
    private let removedDirectories: Set<ByteString>
    private let mount: UInt64

    init(_ plan: RollbackPlan, root: TreeDirectory) throws(VTError) {
        self.plan = plan
        self.root = root
        removals = Set(plan.removals)
        removedDirectories = Set(plan.removedDirectories)
        mount = try root.limits("")?.mount ?? 0
    }

    /// - Throws: `exists` when an unsaved file is in the way; `data.invalid` when a file is on another mount, cannot be
    ///   changed, or belongs to another user.
    func check() throws(VTError) {
        for path in plan.writes.map(\.path) + plan.madeDirectories {
            if try hasPlace(path) { try checkPlace(of: path) }
        }
        let renamed = plan.writes.map(\.path) + plan.removals + plan.removedDirectories
        // A directory is checked before those in it, which may not exist.
        let groups = Dictionary(grouping: renamed + plan.madeDirectories, by: Self.parent)
        for (parent, paths) in groups.sorted(by: { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }) {
            guard let directory = try opened(parent) else { continue }
            try checkAccess(to: directory, parent)
            for path in paths { try checkName(path, in: directory) }
        }
        // The stage is in it.
        if !plan.writes.isEmpty || !plan.removals.isEmpty { try checkAccess(to: root, "") }
        for path in plan.changedModes + plan.changedDirectories.filter({ !$0.bytes.isEmpty }) {
            guard let directory = try opened(Self.parent(path)) else { continue }
            try checkFlags(path, path.lastName, in: directory)
            try checkOwner(path, try directory.status(path.lastName))
        }
        if plan.changedDirectories.contains("") {
            try checkFlags("", "", in: root)
            try checkOwner("", try root.status())
        }
    }

    /// The attributes of the saved files that are to be replaced, removed or changed.
    func statuses() throws(VTError) -> [ByteString: stat] {
        var statuses: [ByteString: stat] = [:]
        for path in plan.writes.map(\.path) + plan.removals + plan.changedModes where plan.isSaved(path) {
            if let status = try root.directory(Self.parent(path))?.status(path.lastName) { statuses[path] = status }
        }
        return statuses
    }

    private static func parent(_ path: ByteString) -> ByteString { path.parentDirectories.first ?? "" }

    private func status(_ path: ByteString) throws(VTError) -> stat? {
        let parent = Self.parent(path)
        guard let directory = try root.directory(parent) else { return nil }
        guard directory.isSearchable else { throw Self.unchangeable(parent, "cannot be entered") }
        return try directory.status(path.lastName)
    }

    // MARK: - Unsaved files

    /// Whether the directory of a file exists.
    private func hasPlace(_ path: ByteString) throws(VTError) -> Bool {
        for parent in path.parentDirectories.reversed() {
            guard let status = try status(parent) else { return false }
            guard FileAttributes.Kind(mode: status.st_mode) == .directory else {
                guard removals.contains(parent) else { throw Self.inTheWay(parent) }
                return false
            }
        }
        return true
    }

    private func checkPlace(of path: ByteString) throws(VTError) {
        guard !plan.isSaved(path), let status = try status(path) else { return }
        guard FileAttributes.Kind(mode: status.st_mode) == .directory else { throw Self.inTheWay(path) }
        // The directory must become empty before a file can replace it.
        if let file = try unsavedFile(in: path) { throw Self.inTheWay(file) }
    }

    /// A file in a directory that the plan does not remove; nil if there is none.
    private func unsavedFile(in directory: ByteString) throws(VTError) -> ByteString? {
        guard removedDirectories.contains(directory) else { return directory }
        for (name, kind) in try root.directory(directory)?.entries() ?? [] {
            let path = directory.appending(name)
            if kind == .directory {
                if let file = try unsavedFile(in: path) { return file }
            } else if !removals.contains(path) {
                return path
            }
        }
        return nil
    }

    // MARK: - Unchangeable files

    /// Opens a directory; nil if it does not exist yet.
    private func opened(_ path: ByteString) throws(VTError) -> TreeDirectory? {
        do throws(VTError) {
            return try root.directory(path, staysOnMount: true)
        } catch {
            // The other reasons for which it could not be entered prevent this, too.
            guard try root.directory(path) != nil else { throw error }
            throw Self.onOtherFileSystem(path)
        }
    }

    /// Checks that names in a directory can be changed, at least after changing its mode.
    private func checkAccess(to directory: TreeDirectory, _ path: ByteString) throws(VTError) {
        try checkFlags(path, "", in: directory)
        guard !directory.isWritable else { return }
        try checkOwner(path, try directory.status())
    }

    private func checkName(_ path: ByteString, in directory: TreeDirectory) throws(VTError) {
        guard let status = try directory.status(path.lastName) else { return }
        // A mount point stays, and so do the directories that contain it.
        if removedDirectories.contains(path), try isMountPoint(path, in: directory) { return }
        try checkFlags(path, path.lastName, in: directory)
        let parent = try directory.status()
        if parent.st_mode & S_ISVTX != 0, parent.st_uid != geteuid() { try checkOwner(path, status) }
    }

    private func isMountPoint(_ path: ByteString, in directory: TreeDirectory) throws(VTError) -> Bool {
        let found = try directory.limits(path.lastName)?.mount ?? 0
        return found != 0 && mount != 0 && found != mount
    }

    private func checkFlags(_ path: ByteString, _ name: ByteString, in directory: TreeDirectory) throws(VTError) {
        guard let limits = try directory.limits(name) else { return }
        guard limits.mount == 0 || mount == 0 || limits.mount == mount else { throw Self.onOtherFileSystem(path) }
        guard !limits.isImmutable, !limits.isAppendOnly else {
            throw Self.unchangeable(path, "has the attribute '\(limits.isImmutable ? "i" : "a")' of chattr(1)")
        }
    }

    private func checkOwner(_ path: ByteString, _ status: stat?) throws(VTError) {
        guard let status, geteuid() != 0, status.st_uid != geteuid() else { return }
        throw Self.unchangeable(path, "belongs to another user")
    }

    // MARK: - Errors

    private static func inTheWay(_ path: ByteString) -> VTError {
        VTError(
            .exists,
            "'\(path.repairedText)' is in the way, and is not saved because it is ignored or of a special kind; nothing "
                + "has been changed",
            hint: "move the file, and repeat the rollback"
        )
    }

    private static func onOtherFileSystem(_ path: ByteString) -> VTError {
        VTError(
            .dataInvalid,
            "'\(path.repairedText)' is on another file system than the tree, or is mounted; nothing has been changed",
            hint: "to leave it out, name the other files with --path"
        )
    }

    private static func unchangeable(_ path: ByteString, _ reason: String) -> VTError {
        VTError(
            .dataInvalid,
            "cannot change '\(path.bytes.isEmpty ? "." : path.repairedText)', which \(reason); nothing has been changed",
            hint: "to leave it out, name the other files with --path"
        )
    }
}
