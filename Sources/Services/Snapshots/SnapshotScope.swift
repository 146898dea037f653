import Core

/// Which files of a tree a snapshot saves.
package struct SnapshotScope: Hashable, Sendable {
    /// Whether files are saved that git ignores.
    package var includesIgnored = false
    /// Patterns of files not to save, as in gitignore(5).
    package var excludes: [String] = []

    package init() {}

    /// The file name of the git index for this scope.
    ///
    /// Each scope has its own: an index has the files of the last snapshot, and what is needed to find those that have
    /// changed since.
    var indexName: String {
        guard self != SnapshotScope() else { return "index" }
        let text = "\(includesIgnored)\0" + excludes.joined(separator: "\0")
        return "index-" + String(StableHash.hash(text.utf8), radix: 16)
    }
}

/// How large files and the store may be.
package struct SnapshotLimits: Hashable, Sendable {
    package var fileBytes: UInt64 = 100 << 20
    package var storeBytes: UInt64 = 2 << 30

    package init() {}
}
