import Core
import System

/// Which files of a tree are ignored: git decides it by the rules of the tree and of the repository that contains it,
/// except that files that a repository of the user tracks are not ignored.
struct IgnoreRules: Sendable {
    let git: Git
    let root: TreeDirectory
    let scope: SnapshotScope
    /// The user's repository that contains the tree.
    let repository: UserRepository?

    /// Those of some files and directories that match the rules; none if the scope includes them.
    func matching(_ paths: [ByteString]) async throws(VTError) -> Set<ByteString> {
        guard !scope.includesIgnored, !paths.isEmpty else { return [] }
        var input: [UInt8] = []
        // A path that starts with a colon would be a pattern.
        let prefix = Array("./".utf8)
        for path in paths { input += prefix + path.bytes + [0] }
        let words: [ByteString] = ["check-ignore", "-z", "--no-index", "--stdin"]
        // The status is 1 if none of the paths is ignored.
        let output = try await git.output(words, workTree: repository?.workTree, input: input, accepts: [0, 1])
        return Set(Git.paths(output).map { ByteString($0.bytes.dropFirst(prefix.count)) })
    }

    /// The files that repositories of the user track, among some files and in the directories among them.
    func tracked(among paths: [ByteString]) async throws(VTError) -> Set<ByteString> {
        var nearest: [ByteString: ByteString] = [:]
        func repository(of path: ByteString) throws(VTError) -> ByteString {
            guard let parent = path.parentDirectories.first else { return "" }
            if let known = nearest[parent] { return known }
            let isTop = try root.directory(parent)?.status(".git") != nil
            let found = isTop ? parent : try repository(of: parent)
            nearest[parent] = found
            return found
        }
        var groups: [ByteString: [ByteString]] = [:]
        for path in paths { groups[try repository(of: path), default: []].append(path) }
        var tracked: Set<ByteString> = []
        for (directory, paths) in groups { tracked.formUnion(try await self.tracked(paths, in: directory)) }
        return tracked
    }

    // MARK: -

    /// The files, among some and in the directories among them, that the repository of a directory tracks.
    private func tracked(_ paths: [ByteString], in directory: ByteString) async throws(VTError) -> [ByteString] {
        let path = directory.bytes.isEmpty ? ByteString(git.tree) : ByteString(git.tree).appending(directory)
        let found = directory.bytes.isEmpty ? repository : UserRepository(ofWorkTree: path)
        guard let found else { return [] }
        let prefix = directory.bytes.isEmpty ? 0 : directory.bytes.count + 1
        let limit = Git.limit(to: paths.map { ByteString($0.bytes.dropFirst(prefix)) })
        let words: [ByteString] = ["--literal-pathspecs", "ls-files", "-z", "--cached"]
        guard let output = try await git.userOutput(words + limit, of: found, in: path) else { return [] }
        let listed = Git.paths(output).map { directory.appending($0) }
        guard limit.isEmpty else { return listed }
        let wanted = Set(paths)
        return listed.filter { file in
            wanted.contains(file) || file.parentDirectories.contains { wanted.contains($0) }
        }
    }
}
