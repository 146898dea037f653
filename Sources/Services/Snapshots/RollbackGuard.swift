import Core
import Glibc
import System

/// Checks that the changes of a plan lose nothing that is not saved.
struct RollbackGuard: Sendable {
    private let plan: RollbackPlan
    private let root: ByteString
    private let removals: Set<ByteString>
    private let removedDirectories: Set<ByteString>

    init(_ plan: RollbackPlan, root: ByteString) {
        self.plan = plan
        self.root = root
        removals = Set(plan.removals)
        removedDirectories = Set(plan.removedDirectories)
    }

    /// - Throws: `exists` when an unsaved file is in the way; `dataInvalid` when a file is on another file system.
    func check() throws(VTError) {
        let device = try TreeFile.status(root)?.st_dev
        for path in plan.writes.map(\.path) + plan.madeDirectories {
            if try hasPlace(path, on: device) { try checkPlace(of: path) }
        }
    }

    /// Whether the directory of a file exists.
    private func hasPlace(_ path: ByteString, on device: dev_t?) throws(VTError) -> Bool {
        for parent in path.parentDirectories.reversed() {
            guard let status = try TreeFile.status(root.appending(parent)) else { return false }
            guard FileAttributes.Kind(mode: status.st_mode) == .directory else {
                guard removals.contains(parent) else { throw Self.inTheWay(parent) }
                return false
            }
            guard status.st_dev == device else { throw Self.onOtherFileSystem(path) }
        }
        return true
    }

    /// The attributes of the saved files that are to be replaced or removed.
    func statuses() throws(VTError) -> [ByteString: stat] {
        var statuses: [ByteString: stat] = [:]
        for path in plan.writes.map(\.path) + plan.removals where plan.isSaved(path) {
            if let status = try TreeFile.status(root.appending(path)) { statuses[path] = status }
        }
        return statuses
    }

    // MARK: -

    private func checkPlace(of path: ByteString) throws(VTError) {
        guard !plan.isSaved(path), let status = try TreeFile.status(root.appending(path)) else { return }
        guard FileAttributes.Kind(mode: status.st_mode) == .directory else { throw Self.inTheWay(path) }
        // The directory must become empty before a file can replace it.
        if let file = try unsavedFile(in: path) { throw Self.inTheWay(file) }
    }

    /// A file in a directory that the plan does not remove; nil if there is none.
    private func unsavedFile(in directory: ByteString) throws(VTError) -> ByteString? {
        guard removedDirectories.contains(directory) else { return directory }
        for entry in try DirectoryListing.entries(in: root.appending(directory)) {
            let path = directory.appending(entry.name)
            if entry.kind == .directory {
                if let file = try unsavedFile(in: path) { return file }
            } else if !removals.contains(path) {
                return path
            }
        }
        return nil
    }

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
            "'\(path.repairedText)' is on another file system than the tree; nothing has been changed",
            hint: "to leave it out, name the other files with --path"
        )
    }
}
