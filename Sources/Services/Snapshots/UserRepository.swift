import Core
import System

/// The user's git repository that contains a directory; it is never written.
struct UserRepository: Sendable {
    /// The absolute path of the work tree.
    let workTree: String
    /// The directory of HEAD.
    private let gitDirectory: String
    /// The directory of `info/exclude`, which the work trees of a repository share (gitrepository-layout(5)).
    private let commonDirectory: String

    /// Finds the repository whose work tree contains a directory, an absolute path; nil if there is none.
    init?(containing directory: String) {
        var path = directory
        while true {
            if let gitDirectory = Self.gitDirectory(of: path) {
                workTree = path
                self.gitDirectory = gitDirectory
                let common = Self.line("\(gitDirectory)/commondir") ?? "."
                commonDirectory = common.hasPrefix("/") ? common : "\(gitDirectory)/\(common)"
                return
            }
            guard path != "/" else { return nil }
            path = FileContents.directory(of: path)
        }
    }

    /// The branch or the commit that is checked out.
    var head: String? {
        Self.line("\(gitDirectory)/HEAD").map { line in
            let prefix = "ref: refs/heads/"
            return line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : line
        }
    }

    /// The version of the index; nil if there is none.
    var indexVersion: FileVersion? { FileVersion(at: "\(gitDirectory)/index") }

    /// The patterns in the files that apply in addition to `.gitignore`, the file for all repositories first.
    ///
    /// A file that cannot be read has no patterns, as for git itself.
    func excludePatterns(_ git: Git, home: String) async throws(VTError) -> [UInt8] {
        let output = try await git.userOutput(["config", "--type=path", "--get", "core.excludesFile"])
        let configured = output.map { String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }
        var patterns: [UInt8] = []
        for path in [configured ?? "\(home)/.config/git/ignore", "\(commonDirectory)/info/exclude"] {
            patterns += ((try? FileContents.read(path)) ?? []) + [UInt8(ascii: "\n")]
        }
        return patterns
    }

    /// Returns the git directory that is or contains a directory; work trees can also be in git directories.
    static func gitDirectory(containing directory: String) -> String? {
        var path = directory
        while gitDirectory(of: path) == nil {
            // git requires the same (gitrepository-layout(5)).
            if ["HEAD", "objects", "refs"].allSatisfy({ FileVersion(at: "\(path)/\($0)") != nil }) { return path }
            guard path != "/" else { return nil }
            path = FileContents.directory(of: path)
        }
        return nil
    }

    /// Returns the git directory if the directory is the top of a work tree.
    private static func gitDirectory(of workTree: String) -> String? {
        let path = "\(workTree)/.git"
        if FileVersion(at: "\(path)/HEAD") != nil { return path }
        // A work tree or a submodule has a file instead.
        guard let line = line(path), line.hasPrefix("gitdir: ") else { return nil }
        let target = String(line.dropFirst("gitdir: ".count))
        let directory = target.hasPrefix("/") ? target : "\(workTree)/\(target)"
        return FileVersion(at: "\(directory)/HEAD") == nil ? nil : directory
    }

    /// The first line of a small file; nil if it cannot be read.
    private static func line(_ path: String) -> String? {
        guard let version = FileVersion(at: path), version.sizeBytes <= 4096,
            let bytes = try? FileContents.read(path)
        else { return nil }
        return ByteString(bytes.prefix { $0 != UInt8(ascii: "\n") }).text
    }
}
