import Core
import Glibc
import System

/// Finds the files and directories of a tree that an index does not have, and that are not ignored.
///
/// The directories of one depth are examined at a time, so that git never sees a file that it would wait for.
struct TreeWalk: Sendable {
    let root: TreeDirectory
    let rules: IgnoreRules
    let exclusions: Exclusions
    /// The maximum length of a path, relative to the tree.
    let pathLimitBytes: Int

    private(set) var files: Set<ByteString> = []
    private(set) var directories: [ByteString: UInt16] = [:]
    private(set) var omitted: [OmittedFile] = []
    /// The `.gitignore` files that are ignored.
    private(set) var ignoredRules: [(path: ByteString, version: FileVersion)] = []
    /// Whether some of the files match the rules, but are tracked.
    private(set) var includesForced = false
    /// What has been found in the directories of one depth.
    private var found: [TreeScan.Unknown] = []

    init(root: TreeDirectory, rules: IgnoreRules, exclusions: Exclusions, pathLimitBytes: Int) {
        (self.root, self.rules, self.exclusions) = (root, rules, exclusions)
        self.pathLimitBytes = pathLimitBytes
    }

    /// Examines what a scan has found, and all directories in it.
    ///
    /// - Throws: `data.invalid` for a file that git would wait for.
    mutating func run(_ unknown: [TreeScan.Unknown]) async throws(VTError) {
        for (path, kind) in unknown {
            try add(path, kind, in: try root.directory(path.parentDirectories.first ?? ""))
        }
        while !found.isEmpty {
            let candidates = found
            found = []
            let ignored = try await rules.matching(candidates.map(\.path))
            if !ignored.isEmpty { try await examine(ignored) }
            for (path, kind) in candidates where !ignored.contains(path) {
                switch kind {
                case .file, .link: files.insert(path)
                case .other: omitted.append(OmittedFile(path, .special))
                case .directory: try list(path)
                }
            }
        }
    }

    private mutating func examine(_ ignored: Set<ByteString>) async throws(VTError) {
        for path in ignored where path.lastName == ".gitignore" {
            let directory = try root.directory(path.parentDirectories.first ?? "")
            if let status = try directory?.status(path.lastName) { ignoredRules.append((path, FileVersion(status))) }
        }
        let tracked = try await rules.tracked(among: Array(ignored))
        let forced = tracked.filter { !exclusions.contain($0, isDirectory: false) }
        files.formUnion(forced)
        if !forced.isEmpty { includesForced = true }
    }

    private mutating func list(_ path: ByteString) throws(VTError) {
        guard let directory = try root.directory(path) else { return }
        directories[path] = UInt16(try directory.status().st_mode & 0o7777)
        // Which cannot be entered or listed.
        guard directory.isSearchable, let entries = try? directory.entries() else {
            omitted.append(OmittedFile(path, .unreadable))
            return
        }
        for (name, kind) in entries where name != ".git" { try add(path.appending(name), kind, in: directory) }
    }

    private mutating func add(
        _ path: ByteString,
        _ kind: FileAttributes.Kind,
        in directory: TreeDirectory?
    ) throws(VTError) {
        guard !exclusions.contain(path, isDirectory: kind == .directory) else { return }
        if kind == .directory, let directory, RollbackStage.isStage(path.lastName, in: directory) { return }
        if kind == .other, GitFile.isRead(path.lastName) { throw GitFile.wouldBlock(path) }
        guard path.bytes.count <= pathLimitBytes else { return omitted.append(OmittedFile(path, .tooLong)) }
        found.append((path, kind))
    }
}
