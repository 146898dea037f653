import Core
import Runtime
import System

/// What may have changed in a tree since an index was written.
struct TreeListing: Sendable {
    let git: Git
    let index: String
    let scope: SnapshotScope
    /// Whether the tree is in a repository of the user.
    let hasRepository: Bool

    struct Result: Sendable {
        /// The files in the index.
        var known: [ByteString: SavedFile] = [:]
        /// The files that are not in the index, and those in the index whose attributes have changed.
        var candidates: [ByteString] = []
    }

    private enum Part: Sendable {
        case known([ByteString: SavedFile])
        case candidates([ByteString])
    }

    private enum Source {
        case known, changed, new, forced
    }

    /// Lists the files with several processes at the same time.
    func run() async throws(VTError) -> Result {
        let sources: [Source] = [.known, .changed, .new] + (hasRepository && !scope.includesIgnored ? [.forced] : [])
        let parts = await sources.concurrentCompactMap { source -> Swift.Result<Part, VTError>? in
            do throws(VTError) {
                return .success(try await list(source))
            } catch {
                return .failure(error)
            }
        }
        var result = Result()
        var candidates: Set<ByteString> = []
        for part in parts {
            switch try part.get() {
            case .known(let files): result.known = files
            case .candidates(let paths): candidates.formUnion(paths)
            }
        }
        result.candidates = Array(candidates)
        return result
    }

    static func paths(_ output: [UInt8]) -> [ByteString] {
        output.split(separator: 0).map { ByteString($0) }
    }

    // MARK: -

    private func list(_ source: Source) async throws(VTError) -> Part {
        switch source {
        case .known: .known(try await known())
        case .changed:
            .candidates(Self.paths(try await git.output(["diff-files", "--name-only", "-z"], index: index)))
        case .new: .candidates(try await newFiles())
        case .forced:
            // Files that git has although they are ignored.
            .candidates(
                Self.paths(
                    try await git.userOutput(["ls-files", "-z", "--cached", "--ignored", "--exclude-standard"]) ?? []
                )
            )
        }
    }

    /// The files in the index, which are examined while git compares the tree with the index.
    private func known() async throws(VTError) -> [ByteString: SavedFile] {
        let (output, tree) = (try await git.output(["ls-files", "-z"], index: index), git.tree)
        return try await onOwnThread { () throws(VTError) in try SavedFile.files(in: output, of: tree) }
    }

    /// The files that are not in the index and not ignored, including those in repositories in the tree.
    ///
    /// git lists such a repository as one file, and treats it as a directory only if the index has a file in it.
    private func newFiles() async throws(VTError) -> [ByteString] {
        let listed = Self.paths(try await git.output(othersWords, index: index))
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
            let more = Self.paths(try await git.output(othersWords + ["--"] + repositories, index: scratch))
            files += more.filter { !$0.namesDirectory }
            repositories = more.filter { $0.namesDirectory && !seen.contains($0) }
        }
        return files
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
