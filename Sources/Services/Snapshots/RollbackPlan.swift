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
    /// The current state.
    private let current: Manifest
    private let currentLinks: Set<ByteString>
    /// Regular files that only need another mode.
    private(set) var changedModes: [ByteString] = []
    /// Directories whose mode differs, other than new ones.
    private(set) var changedDirectories: [ByteString] = []

    /// Whether a file is saved in the current state.
    func isSaved(_ path: ByteString) -> Bool { current.files[path] != nil || currentLinks.contains(path) }

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
        current = state.manifest()
        currentLinks = state.links
        for change in changes where paths.isEmpty || paths.contains(where: change.path.isBelowOrEqual) {
            if let new = change.new { writes.append(new) } else { removals.append(change.path) }
        }
        removals.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        if paths.isEmpty {
            modes = manifest
            links = Set(entries.lazy.filter { !$0.isRegular }.map(\.path))
        } else {
            combine(entries, manifest, paths)
        }
        compareDirectories()
        compareModes()
    }

    /// Determines what remains of the current state, and what comes from the target.
    private mutating func combine(_ entries: [TreeEntry], _ manifest: Manifest, _ paths: [ByteString]) {
        func isSelected(_ path: ByteString) -> Bool { paths.contains(where: path.isBelowOrEqual) }
        modes.files = current.files.filter { !isSelected($0.key) }
        links = currentLinks.filter { !isSelected($0) }
        for entry in entries where isSelected(entry.path) {
            if let mode = manifest.files[entry.path] {
                modes.files[entry.path] = mode
            } else {
                links.insert(entry.path)
            }
        }
        let empty = current.emptyDirectories.filter { !isSelected($0) } + manifest.emptyDirectories.filter(isSelected)
        modes.emptyDirectories = Set(empty)
        var needed = (Array(modes.files.keys) + links + empty).parentDirectories.union(empty)
        needed.insert("")
        for directory in needed {
            let (old, new) = (current.directories[directory], manifest.directories[directory])
            modes.directories[directory] = isSelected(directory) ? new ?? old ?? 0o755 : old ?? new ?? 0o755
        }
    }

    private mutating func compareDirectories() {
        let (present, needed) = (Set(current.directories.keys), Set(modes.directories.keys))
        removedDirectories = present.subtracting(needed).sorted { $1.bytes.lexicographicallyPrecedes($0.bytes) }
        madeDirectories = needed.subtracting(present).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        changedDirectories = needed.intersection(present)
            .filter { current.directories[$0] != modes.directories[$0] }
            .sorted { $1.bytes.lexicographicallyPrecedes($0.bytes) }
    }

    private mutating func compareModes() {
        let written = Set(writes.map(\.path))
        changedModes = modes.files.filter { path, mode in current.files[path] != mode && !written.contains(path) }
            .map(\.key)
    }

    /// Replaces files of which only the mode differs, instead of changing that: they have links elsewhere.
    mutating func replace(_ paths: Set<ByteString>, by entries: [TreeEntry]) {
        guard !paths.isEmpty else { return }
        writes += entries.filter { paths.contains($0.path) }
        changedModes.removeAll(where: paths.contains)
    }

    /// The first of some paths that exists neither now nor in the target.
    func missing(among selected: [ByteString]) -> ByteString? {
        let current = Array(current.files.keys) + currentLinks + current.directories.keys
        let all = selected.isEmpty ? [] : current + modes.files.keys + links + modes.directories.keys
        return selected.first { path in !all.contains { $0.isBelowOrEqual(path) } }
    }

    /// The differences between a state and the one that the plan leads to; empty if there are none.
    ///
    /// Directories that contain files that are not saved can remain.
    func differences(in state: TreeState) -> [ByteString] {
        let manifest = state.manifest()
        var differences = Set(modes.files.filter { manifest.files[$0.key] != $0.value }.map(\.key))
        differences.formUnion(manifest.files.keys.filter { modes.files[$0] == nil })
        differences.formUnion(links.symmetricDifference(state.links))
        differences.formUnion(modes.directories.filter { manifest.directories[$0.key] != $0.value }.map(\.key))
        return differences.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
}
