import Core
import Glibc
import System

/// Saves the current files of a tree in git's objects.
///
/// The tree is compared with the index of the last snapshot, without changing anything; then the limits are checked, and
/// only the files that have changed are read and written. The lock of the store must be held.
struct TreeCapture: Sendable {
    let store: SnapshotStore
    let scope: SnapshotScope
    let limits: SnapshotLimits
    /// Whether a file that is too large is an error instead of an omission.
    let isStrict: Bool
    let repository: UserRepository?
    /// The user's home directory.
    let home: String

    private var git: Git { store.git }
    private var root: ByteString { ByteString(store.tree) }

    /// Rollbacks put new files into a directory of this name in the tree before they replace any file.
    static let stagePrefix = ".vt-rollback-"

    /// How often files that change while they are read are read again.
    private static let attempts = 3
    /// A tree with more files is refused, because their names are kept in memory.
    private static let fileLimit = 2_000_000

    /// Saves the files in the index, and of the others the included ones.
    func state(limitedTo isIncluded: (ByteString) -> Bool = { _ in true }) async throws(VTError) -> TreeState {
        let name = try store.newIndex(for: scope)
        let index = try IndexFile(at: "\(git.directory)/\(name)")
        let scan = try await TreeScan(tree: store.tree, index: index).run()
        var new: Set<ByteString> = []
        if !scan.unknown.isEmpty {
            try await writeExcludes()
            let files = NewFiles(git: git, index: name, scope: scope, hasRepository: repository != nil)
            new = try await files.list(scan.unknown.map(\.path)).filter {
                isIncluded($0) && !index.contains($0)
            }
        }
        Fault.point(.snapshotListed)
        guard index.indices.count + new.count <= Self.fileLimit else {
            throw VTError(.dataInvalid, "'\(store.tree)' has more than \(Self.fileLimit) files")
        }
        let selection = try checked(
            TreeSelection(changed: scan.changed, new: new, root: root, limits: limits, isStrict: isStrict)
        )
        if !selection.isEmpty { try await write(selection, to: name) }
        Fault.point(.snapshotIndexed)
        let known = selection.isEmpty ? try store.treeID(of: scope) : nil
        let objectID = if let known { known } else { try await git.objectID(["write-tree"], index: name) }
        Fault.point(.snapshotWritten)
        var state = TreeState(objectID: objectID, index: name, scan, of: index)
        for path in selection.present.keys { state.add(path, try TreeFile.status(root.appending(path))) }
        try await addDirectories(scan, Set(selection.present.keys).parentDirectories, to: &state)
        state.omitted = (selection.omitted + state.omitted).sorted {
            $0.path.bytes.lexicographicallyPrecedes($1.path.bytes)
        }
        return state
    }

    /// Adds the directories that are not ignored; `written` have files that the index did not have.
    private func addDirectories(
        _ scan: TreeScan.Result,
        _ written: Set<ByteString>,
        to state: inout TreeState
    ) async throws(VTError) {
        let occupied = scan.occupied.union(scan.occupied.parentDirectories).union(written).union([""])
        let emptied = scan.directories.keys.filter { !occupied.contains($0) }
        if scan.unknown.isEmpty, !emptied.isEmpty { try await writeExcludes() }
        var walk = TreeWalk(root: root, scope: scope, store: store, occupied: occupied)
        try await walk.run(
            new: written.filter { scan.directories[$0] == nil },
            unknown: scan.unknown + emptied.map { ($0, .directory) }
        )
        state.directories = scan.directories.filter { occupied.contains($0.key) }.merging(walk.directories) { $1 }
        state.emptyDirectories = walk.emptyDirectories
        state.omitted = scan.omitted.filter { occupied.contains($0.path) } + walk.omitted
    }

    /// The paths among `paths` that differ from an index now.
    func changed(among paths: Set<ByteString>, since index: String) async throws(VTError) -> [ByteString] {
        let words = ["diff-files", "--name-only", "-z"] + Git.limit(to: Array(paths))
        return try await Git.paths(git.output(words, index: index)).filter(paths.contains)
    }

    // MARK: -

    private func writeExcludes() async throws(VTError) {
        var patterns: [UInt8] = []
        if !scope.includesIgnored, let repository {
            patterns = try await repository.excludePatterns(git, home: home)
        }
        for pattern in scope.excludes + ["\(Self.stagePrefix)*/"] { patterns += Array("\(pattern)\n".utf8) }
        if let own = store.ownDirectory { patterns += Self.pattern(for: own) }
        let path = "\(git.directory)/info/exclude"
        guard try FileContents.read(path) != patterns else { return }
        try FileContents.replace(path, with: patterns, isDurable: false)
    }

    /// The line for a directory, relative to the tree, in a file of patterns (gitignore(5)).
    private static func pattern(for directory: ByteString) -> [UInt8] {
        let special = Set("\\*?[ ".utf8)
        return Array("/".utf8) + directory.bytes.flatMap { special.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
            + Array("/\n".utf8)
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

    /// Reads the selected files into an index, again if they change in the meantime.
    ///
    /// - Throws: `busy` when files keep changing.
    private func write(_ selection: TreeSelection, to index: String) async throws(VTError) {
        if !selection.gone.isEmpty {
            let input = Self.list(selection.gone)
            _ = try await git.output(["update-index", "--force-remove", "-z", "--stdin"], index: index, input: input)
        }
        var rest = selection.present
        for attempt in 1...Self.attempts where !rest.isEmpty {
            let words: [ByteString] = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"]
            do throws(VTError) {
                _ = try await git.output(words, index: index, input: Self.list(Array(rest.keys)))
                rest = try changed(rest)
            } catch {
                // git fails if a file becomes shorter while it is read.
                let changed = try changed(rest)
                guard error.code == .io, !changed.isEmpty, attempt < Self.attempts else { throw error }
                for (path, version) in changed { rest[path] = version }
            }
        }
        if let path = rest.keys.first {
            throw VTError(
                .busy,
                "'\(path.repairedText)' changed each time it was read",
                hint: "take the snapshot when nothing writes to the tree, or leave out the file with --exclude"
            )
        }
    }

    /// The files that are not in the given versions any more, with their current ones.
    private func changed(_ versions: [ByteString: FileVersion]) throws(VTError) -> [ByteString: FileVersion] {
        var changed: [ByteString: FileVersion] = [:]
        for (path, version) in versions {
            let status = try TreeFile.status(root.appending(path))
            let current = status.map { FileVersion($0) }
            if current != version { changed[path] = current ?? version }
        }
        return changed
    }

    private static func list(_ paths: [ByteString]) -> [UInt8] {
        var bytes: [UInt8] = []
        for path in paths { bytes += path.bytes + [0] }
        return bytes
    }
}
