import Core
import Glibc

/// A file written atomically: it appears under its name only on `commit`.
///
/// Until then it has no name if the file system supports that (`O_TMPFILE` of open(2)), so nothing is left on disk
/// however the process ends. The mode is 0666 minus the umask (umask(2)). Symbolic links are never followed. Intended
/// for content that is written all at once; see `NewFile` for content produced over time.
package struct AtomicFile: ~Copyable {
    private let path: String
    private let replaces: Bool
    private let descriptor: FileDescriptor
    /// The temporary path, if the file needs a name.
    private var temporary: String?

    /// O_TMPFILE, which glibc defines only for programs that enable its extensions; the value is from
    /// asm-generic/fcntl.h.
    private static let withoutName = O_DIRECTORY | 0o20_000_000

    /// Creates a file that gets this name on `commit`; with `replaces`, it replaces an existing file.
    ///
    /// - Throws: `exists` when the file exists and must not be replaced; `cannot-create`.
    package init(at path: String, replaces: Bool) throws(VTError) {
        let replaces = try Self.replaces(path, replaces)
        let directory = FileContents.directory(of: path)
        let number = unsafe open(directory, Self.withoutName | O_WRONLY | O_CLOEXEC, mode_t(0o666))
        let name = number < 0 ? "\(directory)/.vt-\(RandomIdentifier.make())" : nil
        let file = if let name { try Self.creating(name, for: path) } else { FileDescriptor(owning: number) }
        self.path = path
        self.replaces = replaces
        descriptor = file
        temporary = name
    }

    deinit {
        if let temporary { unsafe unlink(temporary) }
    }

    /// Appends bytes.
    package func write(_ bytes: [UInt8]) throws(VTError) {
        let failure = BlockingIO.write(descriptor.number, bytes)
        guard failure == 0 else { throw .system(failure, "cannot write '\(path)'") }
    }

    /// Syncs the file to disk and gives it its name.
    ///
    /// The corresponding C functions are `fsync`, `linkat` and `rename`.
    package consuming func commit() throws(VTError) {
        guard fsync(descriptor.number) == 0 || errno == EINVAL else {
            throw .system(errno, "cannot write '\(path)'")
        }
        if !replaces {
            guard linked(to: path) == 0 else { throw Self.failure(errno, path) }
            return
        }
        if temporary == nil {
            let name = "\(FileContents.directory(of: path))/.vt-\(RandomIdentifier.make())"
            guard linked(to: name) == 0 else { throw Self.failure(errno, path) }
            temporary = name
        }
        guard let temporary, unsafe rename(temporary, path) == 0 else { throw Self.failure(errno, path) }
        self.temporary = nil
    }

    /// Returns 0, or -1 with errno set.
    private func linked(to name: String) -> CInt {
        if let temporary { return unsafe link(temporary, name) }
        return unsafe linkat(AT_FDCWD, "/proc/self/fd/\(descriptor.number)", AT_FDCWD, name, AT_SYMLINK_FOLLOW)
    }

    private static func creating(_ name: String, for path: String) throws(VTError) -> FileDescriptor {
        let number = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(0o666))
        guard number >= 0 else { throw failure(errno, path) }
        return FileDescriptor(owning: number)
    }

    /// Returns whether `commit` will replace an existing file; throws early if `commit` would fail.
    ///
    /// An empty file can always be replaced.
    private static func replaces(_ path: String, _ isWanted: Bool) throws(VTError) -> Bool {
        guard let present = try Self.status(path) else { return false }
        try Self.check(present, path)
        guard isWanted || present.st_size == 0 else { throw failure(EEXIST, path) }
        return true
    }

    // MARK: - Existing files

    /// Returns the status of a file, or nil if it does not exist; the corresponding C function is `lstat`.
    package static func status(_ path: String) throws(VTError) -> stat? {
        var status = stat()
        if unsafe lstat(path, &status) == 0 { return status }
        guard errno == ENOENT else { throw .system(errno, "cannot create '\(path)'", fallback: .cannotCreate) }
        return nil
    }

    /// - Throws: `cannot-create` unless it is a regular file.
    package static func check(_ status: stat, _ path: String) throws(VTError) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
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

    private static func failure(_ number: CInt, _ path: String) -> VTError {
        guard number != EEXIST else {
            return VTError(.exists, "'\(path)' already exists", hint: "add --force to replace it")
        }
        return VTError(.cannotCreate, "cannot create '\(path)': \(systemErrorText(number))")
    }
}
