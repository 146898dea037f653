import Core
import Glibc
import System

/// Saves the current files of a tree in git's objects.
///
/// The tree is compared with the index of the last snapshot, without changing anything; then the limits are checked, and
/// only the files that have changed are read and written. The lock of the store must be held.
struct TreeCapture: Sendable {
    let store: SnapshotStore
    let root: TreeDirectory
    let scope: SnapshotScope
    let limits: SnapshotLimits
    /// Whether a file that is too large is an error instead of an omission.
    let isStrict: Bool
    let repository: UserRepository?
    let environment: Environment

    private var git: Git { store.writer }

    /// A tree with more files is refused, because their names are kept in memory.
    private static let fileLimit = 2_000_000
    /// git needs paths that are shorter than PATH_MAX, also for `.gitattributes` in a directory.
    private static let pathLimitBytes = Int(PATH_MAX) - 20

    /// Saves the files that are not ignored; if `files` are given, these, instead of new ones that are not ignored.
    func state(with files: [ByteString]? = nil) async throws(VTError) -> TreeState {
        let name = try store.newIndex(for: scope)
        let index = try readIndex(name)
        let scanner = TreeScan(root: root, index: index)
        let patterns = try await writeExcludes()
        var scan = try await scanner.run()
        let rules = IgnoreRules(git: git, root: root, scope: scope, repository: repository)
        let exclusions = Exclusions(scope, ownDirectory: store.ownDirectory)
        var walk = TreeWalk(
            root: root,
            rules: rules,
            exclusions: exclusions,
            pathLimitBytes: Self.pathLimitBytes - store.tree.utf8.count
        )
        try await walk.run(scan.unknown)
        let new = (files.map { Set($0) } ?? walk.files).filter { !index.contains($0) }
        Fault.point(.snapshotListed)
        guard index.indices.count + new.count <= Self.fileLimit else {
            throw VTError(.dataInvalid, "'\(store.tree)' has more than \(Self.fileLimit) files")
        }
        var selection = try checked(
            TreeSelection(changed: scan.changed, new: new, root: root, limits: limits, isStrict: isStrict)
        )
        // A rollback, of which these are the files, may have changed the rules: the next snapshot examines them.
        let ignored =
            files == nil
            ? try await ignoredFiles(of: index, scan, selection, rules, patterns, walk) : (paths: [], stamp: "")
        let own = exclusions.ownDirectory.map { index.entries(below: $0).map(index.path) } ?? []
        let unwanted = ignored.paths.union(own)
        if !unwanted.isEmpty { scanner.remove(unwanted, from: &scan) }
        selection.remove(unwanted)
        let known = selection.isEmpty ? try store.treeID(of: scope) : nil
        if !selection.isEmpty {
            try await IndexUpdate(git: git, root: root, index: name).write(&selection, hidden: scan.hidden)
        }
        Fault.point(.snapshotIndexed)
        var state = TreeState(index: name, scan, of: index)
        state.objectID = if let known { known } else { try await git.writeTree(index: name) }
        state.rules = ignored.stamp
        Fault.point(.snapshotWritten)
        for (path, status) in selection.present { state.add(path, status) }
        try await addDirectories(scan, walk, selection, exclusions, rules, to: &state)
        return state
    }

    /// Reads a new index, or makes a damaged one empty, so that all files are read again.
    private func readIndex(_ name: String) throws(VTError) -> IndexFile {
        let path = "\(git.directory)/\(name)"
        if let index = try IndexFile(at: path) { return index }
        try FileContents.remove(path)
        guard let index = try IndexFile(at: path) else { throw VTError(.io, "cannot remove '\(path)'") }
        return index
    }

    // MARK: - Ignored files

    /// The files of the index that are ignored now, and a stamp of the rules.
    ///
    /// They can be ignored only if the rules have changed, or if files were saved because a repository tracked them, and
    /// its index has changed.
    private func ignoredFiles(
        of index: IndexFile,
        _ scan: TreeScan.Result,
        _ selection: TreeSelection,
        _ rules: IgnoreRules,
        _ patterns: [UInt8],
        _ walk: TreeWalk
    ) async throws(VTError) -> (paths: Set<ByteString>, stamp: String) {
        let all = patterns + unsavedRules(walk)
        let known = try store.rules(of: scope)
        let isKnown = [false, true].contains { known == stamp(all, includesForced: $0) }
        let hasNewRules = (Array(selection.present.keys) + selection.gone).contains { $0.lastName == ".gitignore" }
        guard !scope.includesIgnored, !isKnown || hasNewRules else {
            return ([], walk.includesForced ? stamp(all, includesForced: true) : known)
        }
        let saved = scan.unchanged.map { index.path($0.entry) } + selection.present.keys.filter(index.contains)
        let matching = try await rules.matching(saved)
        let tracked = try await rules.tracked(among: Array(matching))
        let isForced = walk.includesForced || !matching.isDisjoint(with: tracked)
        return (matching.subtracting(tracked), stamp(all, includesForced: isForced))
    }

    /// The versions of the files with rules that the snapshot does not contain.
    private func unsavedRules(_ walk: TreeWalk) -> [UInt8] {
        var rules = walk.ignoredRules
        for path in repository?.rules(above: store.tree) ?? [] {
            if let version = path.text.flatMap({ FileVersion(at: $0) }) { rules.append((path, version)) }
        }
        return rules.sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
            .flatMap { $0.path.bytes + Array("\0\($0.version.hash)\n".utf8) }
    }

    /// What a change of the rules changes, except those that are saved.
    private func stamp(_ rules: [UInt8], includesForced: Bool) -> String {
        let version = includesForced ? repository?.indexVersion?.hash ?? 0 : 0
        return "\(String(StableHash.hash(rules), radix: 16))-\(String(version, radix: 16))"
    }

    /// Writes the rules that apply in addition to `.gitignore`, and returns them.
    private func writeExcludes() async throws(VTError) -> [UInt8] {
        var patterns: [UInt8] = []
        if !scope.includesIgnored, let repository {
            for path in repository.rules(above: store.tree) { try GitFile.check(path) }
            patterns = try await repository.excludePatterns(git, environment)
        }
        let path = "\(git.directory)/info/exclude"
        if try FileContents.read(path) != patterns {
            try FileContents.replace(path, with: patterns, isDurable: false)
        }
        return patterns
    }

    // MARK: - Directories

    /// Adds the directories that are not ignored, and what is not saved.
    private func addDirectories(
        _ scan: TreeScan.Result,
        _ walk: TreeWalk,
        _ selection: TreeSelection,
        _ exclusions: Exclusions,
        _ rules: IgnoreRules,
        to state: inout TreeState
    ) async throws(VTError) {
        let written = selection.present.keys.parentDirectories
        let occupied = scan.occupied.union(scan.occupied.parentDirectories).union(written).union([""])
        let emptied = scan.directories.keys.filter {
            !occupied.contains($0) && !exclusions.contain($0, isDirectory: true)
        }
        let ignored = try await rules.matching(emptied)
        let empty = Set(emptied).subtracting(ignored).union(walk.directories.keys.filter { !occupied.contains($0) })
        for (path, mode) in scan.directories where occupied.contains(path) || empty.contains(path) {
            state.directories[path] = mode
        }
        for (path, mode) in walk.directories { state.directories[path] = mode }
        // Those of tracked files in ignored directories.
        for path in written where state.directories[path] == nil {
            if let mode = try root.directory(path)?.status().st_mode { state.directories[path] = UInt16(mode & 0o7777) }
        }
        state.emptyDirectories = empty
        let unreadable = scan.omitted.filter { state.directories[$0.path] != nil }
        state.omitted = (selection.omitted + unreadable + walk.omitted).sorted {
            $0.path.bytes.lexicographicallyPrecedes($1.path.bytes)
        }
    }

    /// - Throws: `data.invalid` when the store would exceed its limit.
    private func checked(_ selection: TreeSelection) throws(VTError) -> TreeSelection {
        guard selection.sizeBytes > 0 else { return selection }
        let total = try store.sizeBytes() + selection.sizeBytes
        guard total <= limits.storeBytes else {
            throw VTError(
                .dataInvalid,
                "the snapshots of '\(store.tree)' could take \(total) bytes, which exceeds the limit of "
                    + "\(limits.storeBytes)",
                hint: "remove snapshots with 'vt snapshot remove', raise the limit with --max-size, or leave out files "
                    + "with --exclude"
            )
        }
        return selection
    }
}
