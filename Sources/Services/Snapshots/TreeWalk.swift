import Core
import Glibc
import System

/// Examines the directories of a tree that have no saved files or have new ones, unless they are ignored.
struct TreeWalk: Sendable {
    let root: ByteString
    let scope: SnapshotScope
    let store: SnapshotStore
    /// The directories with saved files.
    let occupied: Set<ByteString>

    private(set) var directories: [ByteString: UInt16] = [:]
    private(set) var emptyDirectories: Set<ByteString> = []
    private(set) var omitted: [OmittedFile] = []
    /// Directories without saved files, and special files, which may be ignored.
    private var candidates: [TreeScan.Unknown] = []
    private var seen: Set<ByteString> = []

    init(root: ByteString, scope: SnapshotScope, store: SnapshotStore, occupied: Set<ByteString>) {
        (self.root, self.scope, self.store, self.occupied) = (root, scope, store, occupied)
    }

    /// Examines directories that have only new files, what a scan has found in others, and all directories in them.
    mutating func run(new: Set<ByteString>, unknown: [TreeScan.Unknown]) async throws(VTError) {
        for directory in new { try examine(directory) }
        for (path, kind) in unknown { add(path, kind) }
        while !candidates.isEmpty {
            let kept = try await notIgnored(candidates)
            candidates = []
            for (path, kind) in kept {
                guard kind == .directory else {
                    omitted.append(OmittedFile(path, .special))
                    continue
                }
                emptyDirectories.insert(path)
                try examine(path)
            }
        }
    }

    private mutating func add(_ path: ByteString, _ kind: FileAttributes.Kind) {
        guard kind == .directory || kind == .other, !occupied.contains(path), seen.insert(path).inserted else { return }
        candidates.append((path, kind))
    }

    private mutating func examine(_ directory: ByteString) throws(VTError) {
        let path = root.appending(directory)
        guard let status = try TreeFile.status(path), FileAttributes.Kind(mode: status.st_mode) == .directory else {
            return
        }
        directories[directory] = UInt16(status.st_mode & 0o7777)
        guard TreeFile.isSearchable(path), let entries = try? DirectoryListing.entries(in: path) else {
            omitted.append(OmittedFile(directory, .unreadable))
            return
        }
        for (name, kind) in entries where name != ".git" { add(directory.appending(name), kind) }
    }

    private func notIgnored(_ candidates: [TreeScan.Unknown]) async throws(VTError) -> [TreeScan.Unknown] {
        let ignored: Set<ByteString>
        if scope.includesIgnored {
            ignored = Set(
                candidates.map(\.path).filter { path in
                    path == store.ownDirectory || scope.excludes(path)
                        || path.lastName.bytes.starts(with: Array(TreeCapture.stagePrefix.utf8))
                }
            )
        } else {
            ignored = try await ignoredPaths(candidates.map(\.path))
        }
        return candidates.filter { !ignored.contains($0.path) }
    }

    private func ignoredPaths(_ paths: [ByteString]) async throws(VTError) -> Set<ByteString> {
        var input: [UInt8] = []
        // A path that starts with a colon would be a pattern.
        let prefix = Array("./".utf8)
        for path in paths { input += prefix + path.bytes + [0] }
        // The status is 1 if none of the paths is ignored.
        let words: [ByteString] = ["check-ignore", "-z", "--no-index", "--stdin"]
        let ignored = Git.paths(try await store.git.output(words, input: input, accepts: [0, 1]))
        return Set(ignored.map { ByteString($0.bytes.dropFirst(prefix.count)) })
    }
}
