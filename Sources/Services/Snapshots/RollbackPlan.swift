import Core

/// The changes that move a tree from one state to another.
struct RollbackPlan: Sendable {
    /// Saved files that do not exist in the target.
    var removals: [ByteString] = []
    /// Files to create or replace.
    var writes: [TreeEntry] = []
    /// Directories without unsaved files that do not exist in the target; those inside others first.
    var removedDirectories: [ByteString] = []
    /// Directories to create; those that contain others first.
    var madeDirectories: [ByteString] = []
    /// The modes that regular files and directories have in the target.
    private(set) var modes = Manifest()
    /// The files that must exist in the end, other than regular ones.
    private(set) var links: Set<ByteString> = []
    /// The saved files in the way of which nothing else may be.
    let saved: Set<ByteString>
    /// Regular files that only need another mode.
    private(set) var changedModes: [ByteString] = []
    /// Directories whose mode differs, other than new ones.
    private(set) var changedDirectories: [ByteString] = []

    /// The files before and after the rollback.
    var paths: Set<ByteString> { saved.union(modes.files.keys).union(links) }

    /// Whether there is nothing to do.
    var isEmpty: Bool {
        removals.isEmpty && writes.isEmpty && removedDirectories.isEmpty && madeDirectories.isEmpty
            && changedModes.isEmpty && changedDirectories.isEmpty
    }

    /// - Parameters:
    ///   - state: The current state, which has been saved.
    ///   - entries: The files of the target.
    ///   - manifest: The manifest of the target.
    ///   - changes: The differences between the files of both.
    ///   - paths: The files and directories to move; empty for all.
    init(
        from state: TreeState,
        to entries: [TreeEntry],
        _ manifest: Manifest,
        _ changes: [TreeChange],
        paths: [ByteString]
    ) {
        func isSelected(_ path: ByteString) -> Bool { paths.isEmpty || paths.contains { path.isBelowOrEqual($0) } }
        saved = state.paths
        for change in changes where isSelected(change.path) {
            if let new = change.new { writes.append(new) } else { removals.append(change.path) }
        }
        removals.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        // What remains of the current state, and what comes from the target.
        modes.files = state.manifest.files.filter { !isSelected($0.key) }
        links = state.links.filter { !isSelected($0) }
        for entry in entries where isSelected(entry.path) {
            if let mode = manifest.files[entry.path] {
                modes.files[entry.path] = mode
            } else {
                links.insert(entry.path)
            }
        }
        let empty =
            state.manifest.emptyDirectories.filter { !isSelected($0) } + manifest.emptyDirectories.filter(isSelected)
        var needed = Set(empty)
        needed.formUnion((Array(modes.files.keys) + links + empty).parentDirectories)
        needed.insert("")
        modes.emptyDirectories = Set(empty)
        for directory in needed {
            let (old, new) = (state.manifest.directories[directory], manifest.directories[directory])
            modes.directories[directory] = isSelected(directory) ? new ?? old ?? 0o755 : old ?? new ?? 0o755
        }
        compareDirectories(state, needed)
        compareModes(state)
    }

    private mutating func compareDirectories(_ state: TreeState, _ needed: Set<ByteString>) {
        let present = Set(state.manifest.directories.keys)
        removedDirectories = present.subtracting(needed).sorted { $1.bytes.lexicographicallyPrecedes($0.bytes) }
        madeDirectories = needed.subtracting(present).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        changedDirectories = needed.intersection(present)
            .filter { state.manifest.directories[$0] != modes.directories[$0] }
            .sorted { $1.bytes.lexicographicallyPrecedes($0.bytes) }
    }

    private mutating func compareModes(_ state: TreeState) {
        let written = Set(writes.map(\.path))
        changedModes = modes.files.filter { path, mode in
            !written.contains(path) && state.manifest.files[path] != mode
        }.map(\.key)
    }

    /// The first of some paths that exists neither now nor in the target.
    func missing(among selected: [ByteString]) -> ByteString? {
        let all = paths.union(removedDirectories).union(modes.directories.keys)
        return selected.first { path in !all.contains { $0.isBelowOrEqual(path) } }
    }

    /// The differences between a state and the one that the plan leads to; empty if there are none.
    ///
    /// Directories that contain files that are not saved can remain.
    func differences(in state: TreeState) -> [ByteString] {
        var differences = Set(modes.files.filter { state.manifest.files[$0.key] != $0.value }.map(\.key))
        differences.formUnion(state.manifest.files.keys.filter { modes.files[$0] == nil })
        differences.formUnion(links.symmetricDifference(state.links))
        differences.formUnion(modes.directories.filter { state.manifest.directories[$0.key] != $0.value }.map(\.key))
        return differences.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
}
