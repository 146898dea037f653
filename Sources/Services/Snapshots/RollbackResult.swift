import Core

/// What a rollback has done, or would do.
package struct RollbackResult: Hashable, Sendable {
    /// The ID of the snapshot.
    package var snapshot = ""
    /// The ID of the snapshot of the state before the rollback; nil if nothing was to be done.
    package var safety: String?
    package var tree = ""
    package var changes: [FileChange] = []
    package var isDryRun = false
    /// The branch or the commit that was checked out when the snapshot was taken, if it is another one now.
    package var earlierHead: String?

    package init() {}
}

extension RollbackResult: JSONRecord {
    package static let documentName = "rollback"
    package static let documentSummary = "a rollback of a tree to a snapshot"

    package static let fields: JSONTable<Self> = [
        .stored("snapshot", \.snapshot, "ID of the snapshot"),
        .stored(
            "safety_snapshot",
            \.safety,
            "ID of the snapshot of the state before the rollback; absent with `--dry-run`, and if no file differs"
        ),
        .stored("tree", \.tree, "path of the tree"),
        .stored("changes", \.changes, "files that were changed, or would be", isRequired: false),
        .stored("dry_run", \.isDryRun, "true if nothing was changed", isRequired: false),
        .stored(
            "snapshot_head",
            \.earlierHead,
            "branch or commit that was checked out when the snapshot was taken, if it is another one now"
        ),
    ]
}
