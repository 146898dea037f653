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

    /// Saves the files that are not ignored; if `files` are given, these, instead of new ones that are not ignored.
    func state(with files: [ByteString]? = nil) async throws(VTError) -> TreeState {
        let name = try store.newIndex(for: scope)
        let index = try readIndex(name)
        let scanner = TreeScan(tree: store.tree, index: index)
        let patterns = try await writeExcludes()
        var scan = try await scanner.run()
        let rules = IgnoreRules(git: git, index: name, scope: scope, hasRepository: repository != nil)
        var new = IgnoreRules.Files()
        if let files {
            new.paths = Set(files)
        } else if !scan.unknown.isEmpty {
            new = try await rules.newFiles(scan.unknown.map(\.path))
        }
        new.paths = new.paths.filter { !index.contains($0) }
        // A rollback, of which these are the files, may have changed the rules: the next snapshot examines them.
        let ignored = files == nil ? try await ignoredFiles(rules, patterns, scan, new) : (paths: [], stamp: "")
        if !ignored.paths.isEmpty { scanner.remove(ignored.paths, from: &scan) }
        Fault.point(.snapshotListed)
        guard index.indices.count + new.paths.count <= Self.fileLimit else {
            throw VTError(.dataInvalid, "'\(store.tree)' has more than \(Self.fileLimit) files")
        }
        var selection = try checked(
            TreeSelection(changed: scan.changed, new: new.paths, root: root, limits: limits, isStrict: isStrict)
        )
        selection.remove(ignored.paths)
        if !selection.isEmpty { try await write(selection, hidden: scan.hidden, to: name) }
        Fault.point(.snapshotIndexed)
        var state = TreeState(index: name, scan, of: index)
        let known = selection.isEmpty ? try store.treeID(of: scope) : nil
        state.objectID = if let known { known } else { try await git.objectID(["write-tree"], index: name) }
        state.rules = ignored.stamp
        Fault.point(.snapshotWritten)
        for (path, version) in selection.present {
            state.add(path, version, try TreeFile.status(root.appending(path)))
        }
        try await addDirectories(scan, Set(selection.present.keys).parentDirectories, to: &state)
        state.omitted = (selection.omitted + state.omitted).sorted {
            $0.path.bytes.lexicographicallyPrecedes($1.path.bytes)
        }
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

    /// The files of the index that are ignored now, and a stamp of the rules.
    ///
    /// They can be ignored only if the rules have changed, or if files were saved because a repository tracked them, and
    /// its index has changed.
    private func ignoredFiles(
        _ rules: IgnoreRules,
        _ patterns: [UInt8],
        _ scan: TreeScan.Result,
        _ new: IgnoreRules.Files
    ) async throws(VTError) -> (paths: Set<ByteString>, stamp: String) {
        let known = try store.rules(of: scope)
        let isKnown = [false, true].contains { known == stamp(patterns, includesForced: $0) }
        let hasNewRules = (scan.changed + new.paths).contains { $0.lastName == ".gitignore" }
        guard !scope.includesIgnored, !isKnown || hasNewRules else {
            return ([], new.includesForced ? stamp(patterns, includesForced: true) : known)
        }
        let found = try await rules.ignoredFiles()
        return (found.paths, stamp(patterns, includesForced: found.othersAreForced || new.includesForced))
    }

    /// What a change of the rules changes, except those in the tree.
    private func stamp(_ patterns: [UInt8], includesForced: Bool) -> String {
        let version = includesForced ? repository?.indexVersion?.hash ?? 0 : 0
        return "\(String(StableHash.hash(patterns), radix: 16))-\(String(version, radix: 16))"
    }

    /// Adds the directories that are not ignored; `written` have files that the index did not have.
    private func addDirectories(
        _ scan: TreeScan.Result,
        _ written: Set<ByteString>,
        to state: inout TreeState
    ) async throws(VTError) {
        let occupied = scan.occupied.union(scan.occupied.parentDirectories).union(written).union([""])
        let emptied = scan.directories.keys.filter { !occupied.contains($0) }
        var walk = TreeWalk(root: root, scope: scope, store: store, occupied: occupied)
        try await walk.run(
            new: written.filter { scan.directories[$0] == nil },
            unknown: scan.unknown + emptied.map { ($0, .directory) }
        )
        state.directories = scan.directories.filter { occupied.contains($0.key) }.merging(walk.directories) { $1 }
        state.emptyDirectories = walk.emptyDirectories
        state.omitted = scan.omitted.filter { occupied.contains($0.path) } + walk.omitted
    }

    // MARK: -

    /// Writes the rules that apply in addition to `.gitignore`, and returns them.
    private func writeExcludes() async throws(VTError) -> [UInt8] {
        var patterns: [UInt8] = []
        if !scope.includesIgnored, let repository {
            patterns = try await repository.excludePatterns(git, home: home)
        }
        for pattern in scope.excludes + ["\(Self.stagePrefix)*/"] { patterns += Array("\(pattern)\n".utf8) }
        if let own = store.ownDirectory { patterns += Self.pattern(for: own) }
        let path = "\(git.directory)/info/exclude"
        if try FileContents.read(path) != patterns {
            try FileContents.replace(path, with: patterns, isDurable: false)
        }
        return patterns
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
    private func write(
        _ selection: TreeSelection,
        hidden: [ByteString],
        to index: String
    ) async throws(VTError) {
        // git reads a file that has been removed from the index even if its attributes are equal for git.
        try await remove(selection.gone + hidden, from: index)
        var rest = selection.present
        for attempt in 1...Self.attempts where !rest.isEmpty {
            if attempt > 1 { try await remove(Array(rest.keys), from: index) }
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

    private func remove(_ paths: [ByteString], from index: String) async throws(VTError) {
        guard !paths.isEmpty else { return }
        let words: [ByteString] = ["update-index", "--force-remove", "-z", "--stdin"]
        _ = try await git.output(words, index: index, input: Self.list(paths))
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
