import Core

/// A request to take a snapshot.
package struct SnapshotRequest: Hashable, Sendable {
    /// Unique among the snapshots of the tree.
    package var name: String?
    /// The directory to save; nil for the work tree of the session.
    package var path: String?
    package var scope = SnapshotScope()
    package var limits = SnapshotLimits()

    package init() {}
}

/// A request to move a tree back to a snapshot.
package struct RollbackRequest: Hashable, Sendable {
    /// The name or ID of the snapshot.
    package var snapshot: String
    /// The files and directories to move back, relative to the tree; empty for all.
    package var paths: [ByteString] = []
    /// Whether to report the changes without making them.
    package var isDryRun = false
    /// Whether to do it even if a command is running in the session.
    package var isForced = false

    package init(_ snapshot: String) {
        self.snapshot = snapshot
    }
}

/// A request to compare two states of a tree.
package struct DiffRequest: Hashable, Sendable {
    package enum Format: String, JSONReadable, Sendable, CaseIterable {
        case patch
        case stat
        case nameStatus = "name-status"
        /// A `FileChange` for each file.
        case files
    }

    /// The name or ID of the older snapshot; nil for the base snapshot of the session.
    package var from: String?
    /// The name or ID of the newer snapshot; nil for the current state.
    package var to: String?
    /// The command of the shell whose changes to show; negative numbers count from the last one.
    package var turn: Int64?
    package var format = Format.patch
    package var usesColor = false
    /// The files and directories to compare, relative to the tree; empty for all.
    package var paths: [ByteString] = []

    package init() {}
}
