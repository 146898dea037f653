import Core
import Glibc

/// A file written atomically: it appears under its name only on `commit`.
///
/// Until then it has no name if the file system supports that (`O_TMPFILE` of open(2)), so nothing is left on disk
/// however the process ends. Symbolic links are never followed.
package struct AtomicFile: ~Copyable {
    private let path: String
    /// Whether `commit` replaces an existing file.
    package let replaces: Bool
    private let file: OpenFile
    /// The temporary path, if the file needs a name.
    private var temporary: String?

    /// O_TMPFILE, which glibc defines only for programs that enable its extensions; the value is from
    /// asm-generic/fcntl.h.
    private static let withoutName = O_DIRECTORY | 0o20_000_000

    /// Creates a file that gets this name on `commit`; with `replaces`, it replaces an existing file.
    ///
    /// An empty file can always be replaced. The permissions are those in `mode` that the umask allows (umask(2)).
    ///
    /// - Throws: `exists` when the file exists and must not be replaced; `cannot-create`.
    package init(at path: String, replaces: Bool, mode: mode_t = 0o666) throws(VTError) {
        let replaces = try Self.replaces(path, replaces)
        let directory = FileContents.directory(of: path)
        // A file without a name gets one through /proc (linkat(2)).
        let canBeNamed = unsafe access("/proc/self/fd", X_OK) == 0
        let number = canBeNamed ? unsafe open(directory, Self.withoutName | O_WRONLY | O_CLOEXEC, mode) : -1
        let name = number < 0 ? "\(directory)/.vt-\(RandomIdentifier.make())" : nil
        let descriptor =
            if let name { try Self.creating(name, mode, for: path) } else { FileDescriptor(owning: number) }
        self.path = path
        self.replaces = replaces
        file = OpenFile(descriptor, path: path)
        temporary = name
    }

    /// Creates the file `PATH.new`, with mode 0600, which replaces `PATH` on `commit`.
    ///
    /// The caller must hold a lock, because a file that a killed process left under this name is removed.
    ///
    /// - Throws: `cannot-create`, `not-found`.
    package init(replacing path: String) throws(VTError) {
        let name = path + ".new"
        unsafe unlink(name)
        let file = try OpenFile(opening: name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, failure: .cannotCreate)
        do throws(VTError) {
            try file.setMode(0o600)
        } catch {
            unsafe unlink(name)
            throw error
        }
        self.path = path
        replaces = true
        self.file = file
        temporary = name
    }

    deinit {
        if let temporary { unsafe unlink(temporary) }
    }

    /// Appends bytes.
    package func write(_ bytes: [UInt8]) throws(VTError) {
        try file.writeAll(bytes)
    }

    /// Allocates the blocks for the first `count` bytes.
    package func reserve(_ count: Int) throws(VTError) {
        try file.reserve(count)
    }

    /// Returns another descriptor, through which the file can still be written after `commit`.
    package func duplicate() throws(VTError) -> FileDescriptor {
        try file.duplicate()
    }

    /// Gives the file its name, after syncing its contents to disk if `isDurable`.
    package consuming func commit(isDurable: Bool = true) throws(VTError) {
        // Some file systems cannot sync a file.
        guard !isDurable || fsync(file.number) == 0 || errno == EINVAL else {
            throw .system(errno, "cannot write '\(path)'")
        }
        if !replaces {
            // Unlike rename(2), link(2) fails if another process has created the file in the meantime.
            guard linked(to: path) == 0 else { throw Self.failure(errno, path) }
            return
        }
        if temporary == nil {
            let name = "\(FileContents.directory(of: path))/.vt-\(RandomIdentifier.make())"
            guard linked(to: name) == 0 else { throw Self.failure(errno, path) }
            temporary = name
        }
        guard let temporary, unsafe rename(temporary, path) == 0 else {
            throw .system(errno, "cannot replace '\(path)'", fallback: .cannotCreate)
        }
        self.temporary = nil
    }

    /// Returns 0, or -1 with errno set.
    private func linked(to name: String) -> CInt {
        if let temporary { return unsafe link(temporary, name) }
        return unsafe linkat(AT_FDCWD, "/proc/self/fd/\(file.number)", AT_FDCWD, name, AT_SYMLINK_FOLLOW)
    }

    private static func creating(_ name: String, _ mode: mode_t, for path: String) throws(VTError) -> FileDescriptor {
        let number = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard number >= 0 else { throw failure(errno, path) }
        return FileDescriptor(owning: number)
    }

    /// Returns whether `commit` will replace an existing file; throws early if `commit` would fail.
    private static func replaces(_ path: String, _ isWanted: Bool) throws(VTError) -> Bool {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw failure(errno, path) }
            return false
        }
        try check(status, path)
        guard isWanted || status.st_size == 0 else { throw failure(EEXIST, path) }
        return true
    }

    /// - Throws: `cannot-create` unless it is a regular file.
    private static func check(_ status: stat, _ path: String) throws(VTError) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFLNK where isDescriptor(path):
            throw VTError(
                .cannotCreate,
                "'\(path)' is not a regular file",
                hint: "write to standard output: --output - > >(COMMAND), or --output - | COMMAND"
            )
        case S_IFLNK:
            throw VTError(
                .cannotCreate,
                "'\(path)' is a symbolic link, and symbolic links are not followed",
                hint: "use another file name"
            )
        case S_IFDIR: throw VTError(.cannotCreate, "'\(path)' is a directory", hint: "specify a file in it")
        default:
            throw VTError(
                .cannotCreate,
                "'\(path)' is not a regular file",
                hint: "use --output - > \(ByteString(path).shellQuoted.repairedText)"
            )
        }
    }

    /// Whether a link refers to an open descriptor, such as the pipe of a process substitution, `>(COMMAND)`.
    private static func isDescriptor(_ path: String) -> Bool {
        guard let target = FileContents.link(at: path) else { return false }
        return ["pipe:", "socket:", "anon_inode:"].contains(where: target.hasPrefix)
    }

    private static func failure(_ number: CInt, _ path: String) -> VTError {
        guard number != EEXIST else {
            return VTError(.exists, "'\(path)' already exists", hint: "add --force to replace it")
        }
        return VTError(.cannotCreate, "cannot create '\(path)': \(systemErrorText(number))")
    }
}
