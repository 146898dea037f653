import Core
import Runtime

/// The files that git would add to an index.
struct NewFiles: Sendable {
    let git: Git
    let index: String
    let scope: SnapshotScope
    /// Whether the tree is in a repository of the user.
    let hasRepository: Bool

    private enum Source {
        case new, forced
    }

    /// The files among the given ones, which the index does not have, and in the directories among them.
    func list(_ unknown: [ByteString]) async throws(VTError) -> Set<ByteString> {
        let sources: [Source] = [.new] + (hasRepository && !scope.includesIgnored ? [.forced] : [])
        let parts = await sources.concurrentCompactMap { source -> Result<[ByteString], VTError>? in
            do throws(VTError) {
                return .success(source == .new ? try await new(unknown) : try await forced(unknown))
            } catch {
                return .failure(error)
            }
        }
        var paths: Set<ByteString> = []
        for part in parts { paths.formUnion(try part.get()) }
        return paths
    }

    /// The files that are not ignored, including those in repositories in the tree.
    ///
    /// git lists such a repository as one file, and treats it as a directory only if the index has a file in it.
    private func new(_ unknown: [ByteString]) async throws(VTError) -> [ByteString] {
        let listed = Git.paths(try await git.output(othersWords + Git.limit(to: unknown), index: index))
        var files = listed.filter { !$0.namesDirectory }
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
            files += more.filter { !$0.namesDirectory }
            repositories = more.filter { $0.namesDirectory && !seen.contains($0) }
        }
        return files
    }

    /// The files that the user's repository has although they are ignored.
    private func forced(_ unknown: [ByteString]) async throws(VTError) -> [ByteString] {
        let words: [ByteString] = [
            "--literal-pathspecs", "ls-files", "-z", "--cached", "--ignored", "--exclude-standard",
        ]
        return Git.paths(try await git.userOutput(words + Git.limit(to: unknown)) ?? [])
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
