import Core
import System

/// Which files of a tree are ignored: git decides it by the rules of the tree, but files that a repository of the user
/// tracks are ignored only if they are excluded from the snapshot.
struct IgnoreRules: Sendable {
    let git: Git
    /// The index with the files that are saved already.
    let index: String
    let scope: SnapshotScope
    /// Whether the tree is in a repository of the user.
    let hasRepository: Bool

    struct Files: Sendable {
        /// The files to save.
        var paths: Set<ByteString> = []
        /// Whether some of them match the rules, but are tracked.
        var includesForced = false
    }

    /// The files that are not ignored among the given ones, which the index does not have, and in the directories among
    /// them.
    func newFiles(_ unknown: [ByteString]) async throws(VTError) -> Files {
        async let listing = Result { () async throws(VTError) in
            scope.includesIgnored ? [] : try await self.tracked(among: unknown)
        }
        let new = try await self.new(unknown)
        let tracked = try await listing.get()
        return Files(paths: new.union(tracked), includesForced: !tracked.isSubset(of: new))
    }

    /// The files of the index that are ignored now, and whether others match the rules, but are tracked.
    func ignoredFiles() async throws(VTError) -> (paths: Set<ByteString>, othersAreForced: Bool) {
        let words: [ByteString] = ["ls-files", "-z", "--cached", "--ignored", "--exclude-standard"]
        let matching = Set(Git.paths(try await git.output(words, index: index)))
        guard !matching.isEmpty else { return ([], false) }
        let ignored = matching.subtracting(try await tracked(among: Array(matching)))
        return (ignored, ignored.count < matching.count)
    }

    // MARK: -

    /// The files that do not match the rules, including those in repositories in the tree, and what these track.
    ///
    /// git lists such a repository as one file, and treats it as a directory only if the index has a file in it.
    private func new(_ unknown: [ByteString]) async throws(VTError) -> Set<ByteString> {
        let listed = Git.paths(try await git.output(othersWords + Git.limit(to: unknown), index: index))
        var files = Set(listed.filter { !$0.namesDirectory })
        var repositories = listed.filter(\.namesDirectory)
        guard !repositories.isEmpty else { return files }
        let scratch = "\(index)-nested"
        _ = try await git.output(["read-tree", "--empty"], index: scratch)
        var seen: Set<ByteString> = []
        while !repositories.isEmpty {
            seen.formUnion(repositories)
            let entries = repositories.flatMap { Self.placeholder(in: $0) }
            _ = try await git.output(["update-index", "-z", "--index-info"], index: scratch, input: entries)
            let more = Git.paths(try await git.output(othersWords + ["--"] + repositories, index: scratch))
            files.formUnion(more.filter { !$0.namesDirectory })
            for repository in repositories where !scope.includesIgnored {
                files.formUnion(try await tracked([], in: repository.withoutTrailingSlashes))
            }
            repositories = more.filter { $0.namesDirectory && !seen.contains($0) }
        }
        return files
    }

    /// The files that a repository of the user has, among the given ones and in the directories among them.
    private func tracked(among paths: [ByteString]) async throws(VTError) -> Set<ByteString> {
        var nearest: [ByteString: ByteString] = [:]
        func repository(of path: ByteString) -> ByteString {
            guard let parent = path.parentDirectories.first else { return "" }
            if let known = nearest[parent] { return known }
            let isRepository = FileVersion(at: "\(git.tree)/\(parent.repairedText)/.git") != nil
            let found = isRepository ? parent : repository(of: parent)
            nearest[parent] = found
            return found
        }
        var tracked: Set<ByteString> = []
        for (directory, paths) in Dictionary(grouping: paths, by: repository) {
            guard !directory.bytes.isEmpty || hasRepository else { continue }
            let prefix = directory.bytes.isEmpty ? 0 : directory.bytes.count + 1
            tracked.formUnion(
                try await self.tracked(paths.map { ByteString($0.bytes.dropFirst(prefix)) }, in: directory)
            )
        }
        return tracked
    }

    /// The files that the repository in a directory has; `paths`, relative to it, limit them unless there are none.
    private func tracked(_ paths: [ByteString], in directory: ByteString) async throws(VTError) -> [ByteString] {
        let words: [ByteString] = ["--literal-pathspecs", "ls-files", "-z", "--cached"]
        let limit = paths.isEmpty ? [] : Git.limit(to: paths)
        let path = ByteString(git.tree).appending(directory).text
        guard let path, let output = try await git.userOutput(words + limit, in: path) else { return [] }
        return Git.paths(output).map { directory.appending($0) }.filter { !scope.excludes($0) }
    }

    private var othersWords: [ByteString] {
        let words: [ByteString] = ["--literal-pathspecs", "ls-files", "-z", "--others"]
        return words + (scope.includesIgnored ? ["--exclude-from=" + excludes] : ["--exclude-standard"])
    }

    private var excludes: ByteString { ByteString("\(git.directory)/info/exclude") }

    /// An index entry for an empty file in a directory.
    private static func placeholder(in directory: ByteString) -> [UInt8] {
        Array("100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 0\t".utf8) + directory.bytes
            + Array(".vt-placeholder\0".utf8)
    }
}
