import Core
import System

/// The user's git repository that contains a directory; it is never written.
struct UserRepository: Sendable {
    /// The absolute path of the work tree.
    let workTree: ByteString
    /// The directory of HEAD.
    let gitDirectory: ByteString
    /// The directory of `info/exclude`, which the work trees of a repository share (gitrepository-layout(5)).
    private let commonDirectory: ByteString

    /// Finds the repository whose work tree contains a directory, an absolute path; nil if there is none.
    init?(containing directory: String) {
        var path = ByteString(directory)
        while Self.gitDirectory(of: path) == nil {
            guard path != "/" else { return nil }
            path = path.parentDirectory
        }
        self.init(ofWorkTree: path)
    }

    /// The repository with a work tree; nil if there is none.
    init?(ofWorkTree path: ByteString) {
        guard let gitDirectory = Self.gitDirectory(of: path) else { return nil }
        (workTree, self.gitDirectory) = (path, gitDirectory)
        let common = Self.line(gitDirectory.appending("commondir"))
        commonDirectory = common.map { Self.path($0, in: gitDirectory) } ?? gitDirectory
    }

    /// The branch or the commit that is checked out.
    var head: String? {
        Self.line(gitDirectory.appending("HEAD"))?.text.map { line in
            let prefix = "ref: refs/heads/"
            return line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : line
        }
    }

    /// The version of the index; nil if there is none.
    var indexVersion: FileVersion? { gitDirectory.appending("index").text.flatMap { FileVersion(at: $0) } }

    /// - Throws: `data.invalid` if git would wait for a file that it needs to list what the repository tracks.
    func check() throws(VTError) {
        for name in ["HEAD", "index", "config.worktree", "commondir"] as [ByteString] {
            try GitFile.check(gitDirectory.appending(name))
        }
        for name in ["config", "packed-refs", "objects/info/alternates"] as [ByteString] {
            try GitFile.check(commonDirectory.appending(name))
        }
    }

    // MARK: - Ignore rules

    /// The `.gitignore` files that apply to a tree in the work tree, but are above it.
    func rules(above tree: String) -> [ByteString] {
        var paths: [ByteString] = []
        var path = ByteString(tree)
        while path != workTree, path != "/" {
            path = path.parentDirectory
            paths.append(path.appending(".gitignore"))
        }
        return paths
    }

    /// The patterns in the files that apply in addition to `.gitignore`, the file for all repositories first.
    ///
    /// A file that cannot be read has no patterns, as for git itself.
    func excludePatterns(_ git: Git, _ environment: Environment) async throws(VTError) -> [UInt8] {
        let words: [ByteString] = ["config", "-z", "--type=path", "--get", "core.excludesFile"]
        let output = try await git.userOutput(words, of: self, in: workTree)
        let configured = output.map { ByteString($0.prefix { $0 != 0 }) }
        var patterns: [UInt8] = []
        let common = excludesFile(configured, environment)
        for path in [common, commonDirectory.appending("info/exclude")] {
            patterns += Self.withoutMark(GitFile.contents(path) ?? []) + [UInt8(ascii: "\n")]
        }
        return patterns
    }

    /// The file with the patterns for all repositories (git-config(1), core.excludesFile); `configured` is the setting.
    func excludesFile(_ configured: ByteString?, _ environment: Environment) -> ByteString {
        if let configured { return Self.path(configured, in: workTree) }
        let configuration = environment["XDG_CONFIG_HOME"] ?? "\(environment["HOME"] ?? "/")/.config"
        return ByteString("\(configuration)/git/ignore")
    }

    /// The contents of a file without the byte order mark, which git ignores only at the start of a file.
    private static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    }

    // MARK: - Git directories

    /// Returns the git directory that is or contains a directory; work trees can also be in git directories.
    static func gitDirectory(containing directory: String) -> ByteString? {
        var path = ByteString(directory)
        while gitDirectory(of: path) == nil {
            // git requires the same (gitrepository-layout(5)).
            if ["HEAD", "objects", "refs"].allSatisfy({ GitFile.exists(path.appending($0)) }) { return path }
            guard path != "/" else { return nil }
            path = path.parentDirectory
        }
        return nil
    }

    /// Returns the git directory if the directory is the top of a work tree.
    private static func gitDirectory(of workTree: ByteString) -> ByteString? {
        let path = workTree.appending(".git")
        if GitFile.exists(path.appending("HEAD")) { return path }
        // A work tree or a submodule has a file instead.
        let prefix = Array("gitdir: ".utf8)
        guard let line = line(path), line.bytes.starts(with: prefix) else { return nil }
        let directory = Self.path(ByteString(line.bytes.dropFirst(prefix.count)), in: workTree)
        return GitFile.exists(directory.appending("HEAD")) ? directory : nil
    }

    private static func path(_ path: ByteString, in directory: ByteString) -> ByteString {
        path.bytes.first == UInt8(ascii: "/") ? path : directory.appending(path)
    }

    /// The first line of a small file; nil if it cannot be read.
    private static func line(_ path: ByteString) -> ByteString? {
        GitFile.contents(path, limit: 4096).map { ByteString($0.prefix { $0 != UInt8(ascii: "\n") }) }
    }
}
