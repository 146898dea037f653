import Core
import Synchronization

/// The files of a machine without SFTP, accessed with sh(1), stat(1), find(1), cat(1) and similar tools, as provided by
/// GNU coreutils and BusyBox.
///
/// Relative paths are relative to the home directory. The contents of each file are transferred by a separate program,
/// from start to end; everything else uses one shell.
struct ShellFileSystem: FileSystem {
    let host: any CommandHost
    let shell: ShellConversation

    /// The exit status of commands for a file that does not exist.
    private static let missing = 66
    /// The exit status of commands for a file in a directory that the user may not write to.
    private static let refused = 77
    /// Each open file requires a program on this machine and one at the far end.
    let fileLimit = 8

    func attributes(of path: ByteString, followsLinks: Bool) async throws(VTError) -> FileAttributes? {
        let word = Self.word(path)
        let exists: ByteString = followsLinks ? "[ -e " + word + " ]" : "[ -e " + word + " ] || [ -L " + word + " ]"
        let command = "{ " + exists + "; } || exit 66; stat " + (followsLinks ? "-L " : "") + Self.statusFormat + word
        let reply = try await shell.run(command)
        if reply.status == Self.missing { return nil }
        let what = "cannot examine '\(path.repairedText)'"
        try check(reply, .io, what)
        guard let attributes = Self.attributes(reply.output) else { throw malformed(what) }
        return attributes
    }

    func list(_ path: ByteString) async throws(VTError) -> any DirectoryReader {
        let what = "cannot list '\(path.repairedText)'"
        let directory = Self.word(path.bytes.isEmpty ? "." : path)
        let check: ByteString = "[ -e " + directory + " ] || exit 66; cd " + directory + " || exit 1; "
        let reply = try await shell.run(
            check + "find . ! -name . -prune -exec stat " + Self.entryFormat + " {} +"
        )
        try self.check(reply, .io, what)
        guard let entries = Self.entries(reply.output) else { throw malformed(what) }
        return ShellDirectory(entries)
    }

    func open(_ path: ByteString) async throws(VTError) -> any RandomAccessFile {
        ShellFile(self, path, reading: true)
    }

    func create(_ path: ByteString, mode: UInt16) async throws(VTError) -> any RandomAccessFile {
        let word = Self.word(path)
        let parent = Self.word(path.parentDirectory)
        let check = Self.checkParent(of: path) + "[ -w " + parent + " ] || exit 77; "
        let command = check + "(set -C; umask 077; : >" + word + ") || exit 1; "
        let reply = try await shell.run(command + "chmod " + Self.reduced(mode) + " " + word)
        try self.check(reply, .cannotCreate, "cannot create '\(path.repairedText)'")
        return ShellFile(self, path, reading: false)
    }

    func openForWriting(_ path: ByteString, truncates: Bool) async throws(VTError) -> any RandomAccessFile {
        if truncates {
            try check(try await shell.run(": >" + Self.word(path)), .cannotCreate, "cannot open '\(path.repairedText)'")
        }
        return ShellFile(self, path, reading: false)
    }

    func makeDirectory(_ path: ByteString, mode: UInt16) async throws(VTError) {
        let command = Self.checkParent(of: path) + "mkdir -m " + Self.reduced(mode) + " " + Self.word(path)
        try check(try await shell.run(command), .cannotCreate, "cannot create directory '\(path.repairedText)'")
    }

    func makeLink(_ path: ByteString, to target: ByteString) async throws(VTError) {
        let command = Self.checkParent(of: path) + "ln -s -- " + target.shellQuoted + " " + Self.word(path)
        try check(try await shell.run(command), .cannotCreate, "cannot create the link '\(path.repairedText)'")
    }

    func linkTarget(of path: ByteString) async throws(VTError) -> ByteString {
        try await output(of: "readlink " + Self.word(path), "cannot read the link '\(path.repairedText)'")
    }

    func absolutePath(of path: ByteString) async throws(VTError) -> ByteString {
        try await output(of: "readlink -f " + Self.word(path), "cannot examine '\(path.repairedText)'")
    }

    func change(_ path: ByteString, to changes: FileAttributeChanges) async throws(VTError) {
        guard !changes.isEmpty else { return }
        let what = "cannot change the attributes of '\(path.repairedText)'"
        try check(try await shell.run(Self.command(changing: path, to: changes)), .cannotCreate, what)
    }

    func rename(_ path: ByteString, to newPath: ByteString) async throws(VTError) {
        let (old, new) = (Self.word(path), Self.word(newPath))
        // mv would move the file into an existing directory, or into one to which a link refers.
        let check: ByteString =
            "if [ -L " + new + " ]; then rm -f " + new + "; elif [ -d " + new
            + " ]; then echo 'it is a directory' >&2; exit 1; fi; "
        let reply = try await shell.run(check + "mv -f " + old + " " + new)
        try self.check(reply, .cannotCreate, "cannot rename the new file to '\(newPath.repairedText)'")
    }

    func remove(_ path: ByteString) async throws(VTError) {
        try check(try await shell.run("rm -f " + Self.word(path)), .io, "cannot remove '\(path.repairedText)'")
    }

    func sha256(of path: ByteString) async throws(VTError) -> String? {
        try await shell.sha256(of: path)
    }

    // MARK: -

    /// The path as a word that is not an option.
    static func word(_ path: ByteString) -> ByteString {
        (path.bytes.first == UInt8(ascii: "-") ? "./" + path : path).shellQuoted
    }

    /// A word that the shell replaces with the mode in octal, without the permissions that the umask removes.
    private static func reduced(_ mode: UInt16) -> ByteString {
        ByteString("\"$(printf %o $((\(mode & 0o7777) & ~0$(umask))))\"")
    }

    /// A command that exits with `missing` unless the directory of the path exists.
    private static func checkParent(of path: ByteString) -> ByteString {
        "[ -d " + word(path.parentDirectory) + " ] || exit 66; "
    }

    /// A command that changes attributes; times are those of the last modification.
    static func command(changing path: ByteString, to changes: FileAttributeChanges) -> ByteString {
        let word = word(path)
        var commands: [ByteString] = []
        if let owner = changes.owner { commands.append(ByteString("chown \(owner.userID):\(owner.groupID) ") + word) }
        if let mode = changes.mode {
            commands.append(ByteString("chmod \(String(mode, radix: 8)) ") + word)
        }
        if let times = changes.times { commands.append(ByteString("touch -d @\(times.modified) ") + word) }
        return commands.joined(separator: " && ")
    }

    /// Runs a command that prints a path and a newline.
    private func output(of command: ByteString, _ what: String) async throws(VTError) -> ByteString {
        let reply = try await shell.run(command)
        try check(reply, .io, what)
        return ByteString(reply.output.last == UInt8(ascii: "\n") ? reply.output.dropLast() : reply.output)
    }

    /// Throws `code` if a command has failed.
    func check(_ reply: ShellConversation.Reply, _ code: VTError.Code, _ what: String) throws(VTError) {
        guard reply.status != Self.missing else { throw VTError(.notFound, "\(what): no such file or directory") }
        guard reply.status != Self.refused else {
            var error = VTError(code, "\(what): permission denied")
            error.isRefusal = true
            throw error
        }
        guard reply.status != 0 else { return }
        let lines = reply.message.split(whereSeparator: \.isNewline).map(String.init)
        throw VTError(code, "\(what) on '\(shell.name)': \(lines.last ?? "status \(reply.status)")", causes: lines)
    }

    private func malformed(_ what: String) -> VTError {
        VTError(.protocolViolation, "\(what): '\(shell.name)' sent malformed attributes")
    }
}

/// The entries of a directory, all at once.
private final class ShellDirectory: DirectoryReader {
    private let entries: Mutex<[DirectoryEntry]?>

    init(_ entries: [DirectoryEntry]) {
        self.entries = Mutex(entries)
    }

    func next() async throws(VTError) -> [DirectoryEntry]? {
        entries.withLock { entries in
            defer { entries = nil }
            return entries
        }
    }

    func close() async {}
}
