import Core
import Glibc
import System

/// Examines all directories of a tree that are not ignored.
struct TreeWalk: Sendable {
    let root: ByteString
    /// The files that the index has.
    let saved: [ByteString: SavedFile]
    let scope: SnapshotScope
    let store: SnapshotStore

    struct Result: Sendable {
        var manifest = Manifest()
        /// The saved files that are not regular.
        var links: Set<ByteString> = []
        var omitted: [OmittedFile] = []
        var sizeBytes: UInt64 = 0
    }

    /// What has been found in some directories.
    private struct Findings: Sendable {
        var result = Result()
        /// Directories without saved files, and special files, which may be ignored.
        var candidates: [(path: ByteString, kind: FileAttributes.Kind)] = []
    }

    func run() async throws(VTError) -> Result {
        var (findings, parents) = try await onOwnThread { () throws(VTError) in
            var findings = Findings()
            addFiles(to: &findings.result)
            let parents = saved.keys.parentDirectories
            for directory in [""] + parents { try examine(directory, parents, &findings) }
            return (findings, parents)
        }
        while !findings.candidates.isEmpty {
            let kept = try await notIgnored(findings.candidates)
            findings.candidates = []
            for (path, kind) in kept {
                guard kind == .directory else {
                    findings.result.omitted.append(OmittedFile(path, .special))
                    continue
                }
                findings.result.manifest.emptyDirectories.insert(path)
                try examine(path, parents, &findings)
            }
        }
        return findings.result
    }

    private func addFiles(to result: inout Result) {
        result.manifest.files.reserveCapacity(saved.count)
        for (path, file) in saved {
            if let permissions = file.permissions {
                result.manifest.files[path] = permissions
                result.sizeBytes += file.sizeBytes
            } else {
                result.links.insert(path)
            }
        }
    }

    private func examine(
        _ directory: ByteString,
        _ parents: Set<ByteString>,
        _ findings: inout Findings
    ) throws(VTError) {
        let path = directory.bytes.isEmpty ? root : root.appending(directory)
        guard let status = try TreeFile.status(path), status.st_mode & 0o170000 == 0o040000 else { return }
        findings.result.manifest.directories[directory] = UInt16(status.st_mode & 0o7777)
        let entries: [(name: ByteString, kind: FileAttributes.Kind)]
        do throws(VTError) {
            entries = try DirectoryListing.entries(in: path)
        } catch {
            findings.result.omitted.append(OmittedFile(directory, .unreadable))
            return
        }
        for (name, kind) in entries where kind == .directory || kind == .other {
            let entry = directory.appending(name)
            guard name != ".git", !parents.contains(entry) else { continue }
            findings.candidates.append((entry, kind))
        }
    }

    private func notIgnored(
        _ candidates: [(path: ByteString, kind: FileAttributes.Kind)]
    ) async throws(VTError) -> [(path: ByteString, kind: FileAttributes.Kind)] {
        let ignored: Set<ByteString>
        if scope.includesIgnored {
            let patterns = (scope.excludes + ["\(TreeCapture.stagePrefix)*"]).map { Array($0.utf8) }
            ignored = Set(
                candidates.map(\.path).filter { path in
                    path == store.ownDirectory
                        || patterns.contains { pattern in
                            Wildcard.matches(pattern, path.lastName.bytes) || Wildcard.matches(pattern, path.bytes)
                        }
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
        let ignored = TreeListing.paths(try await store.git.output(words, input: input, accepts: [0, 1]))
        return Set(ignored.map { ByteString($0.bytes.dropFirst(prefix.count)) })
    }
}
