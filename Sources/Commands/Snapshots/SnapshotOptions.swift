import Arguments
import Core
import Services

/// What the commands for snapshots have in common.
enum SnapshotOptions {
    static let exitCodes: [VTError.Code] = VTError.Code.ofHolders + [.io, .cannotCreate]

    /// The sentences about snapshots that begin the description of the commands.
    static let tree =
        "The tree is the git work tree that contains the working directory of the session's shell or, without one, that "
        + "directory itself. It is on the machine of the session, where git must be installed."

    static let snapshot = Operand("SNAPSHOT")

    /// A table of snapshots.
    static func table(of snapshots: [Snapshot]) -> TextTable {
        let now = Timestamp.now()
        var table = TextTable(["ID", "NAME", "KIND", "AGE", "FILES", "SIZE", "TREE"])
        for snapshot in snapshots {
            table.add([
                snapshot.id, snapshot.name ?? "-", snapshot.kind.rawValue,
                SessionText.age(of: snapshot.createdAt, now: now), String(snapshot.fileCount),
                SessionText.bytes(snapshot.sizeBytes), snapshot.tree,
            ])
        }
        return table
    }

    /// The changed files, one per line, as `git diff --name-status` prints them.
    static func lines(_ changes: [FileChange]) -> String {
        changes.map { "\($0.status.rawValue)\t\($0.path.repairedText.sanitized)\n" }.joined()
    }
}
