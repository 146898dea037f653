import Core
import Glibc

/// Refuses files of vt's own that others have made or may change, as ssh does with its own (sshd_config(5), StrictModes).
///
/// What such a file says would be done in the name of the user: a profile holds commands.
package enum OwnPath {
    /// Reads a file of vt's own; nil when there is none.
    ///
    /// - Throws: `config` when it, or a directory on the way to it, is not the user's own; what `FileContents.read` throws.
    package static func read(_ path: String) throws(VTError) -> [UInt8]? {
        guard let file = try open(path) else { return nil }
        return try file.readToEnd(limit: FileContents.limitBytes)
    }

    /// Opens a file of vt's own for reading; nil when there is none.
    package static func open(_ path: String) throws(VTError) -> OpenFile? {
        let file = try OpenFile(reading: path)
        try check(directory: FileContents.directory(of: path))
        guard let file else { return nil }
        try check(try file.status(), of: path)
        return file
    }

    /// Checks a directory of vt's own, or where there is none what it would be made in.
    ///
    /// It, and all directories on the way to it from `$VT_HOME`, or from below the home directory, must be the user's
    /// own. Those further up must only keep others from putting another one in its place. A missing directory is no
    /// failure.
    ///
    /// The corresponding C functions are `realpath` and `lstat`.
    package static func check(directory path: String) throws(VTError) {
        var existing = path
        var real = try realPath(of: existing)
        while real == nil, existing != FileContents.directory(of: existing) {
            existing = FileContents.directory(of: existing)
            real = try realPath(of: existing)
        }
        guard var current = real else { return }
        let places = try OwnPlaces()
        if existing == path, let own = status(of: current) { try check(own, of: current) }
        while true {
            if let found = status(of: current) {
                if places.contain(current) { try check(found, of: current) } else { try checkWay(found, of: current) }
            }
            guard current != "/" else { return }
            current = FileContents.directory(of: current)
        }
    }

    /// Nil where there is no such file or directory.
    fileprivate static func realPath(of path: String) throws(VTError) -> String? {
        guard let real = unsafe realpath(path, nil) else {
            guard errno != ENOENT else { return nil }
            throw .system(errno, "cannot examine '\(path)'")
        }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// Checks what is known of one file or directory of vt's own.
    ///
    /// Root is no exception, as with ssh(1): what the files of another user say would be done as root.
    ///
    /// - Throws: `config` when it belongs to another user than this one or root, or others may write it.
    package static func check(_ status: stat, of path: String) throws(VTError) {
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw VTError(
                .config,
                "'\(path)' is owned by another user (uid \(status.st_uid))",
                hint: "set VT_HOME to a directory of your own, or: "
                    + "chown \(geteuid()) \(ByteString(path).shellQuoted.repairedText)"
            )
        }
        let isGroups = status.st_mode & S_IWGRP != 0 && !isOwnGroup(status)
        guard isGroups || status.st_mode & S_IWOTH != 0 else { return }
        throw writable(path)
    }

    /// Checks a directory that is none of vt's own, on the way to one.
    ///
    /// Its owner and group do not matter: another directory that they put in the place of vt's is theirs, and refused.
    /// Where the sticky bit is set, as for /tmp, others cannot rename what is not theirs (chmod(2)).
    private static func checkWay(_ status: stat, of path: String) throws(VTError) {
        guard status.st_mode & S_ISVTX == 0, status.st_mode & S_IWOTH != 0 else { return }
        throw writable(path)
    }

    private static func writable(_ path: String) -> VTError {
        VTError(
            .config,
            "'\(path)' is writable by other users",
            hint: "chmod go-w \(ByteString(path).shellQuoted.repairedText)"
        )
    }

    /// Whether the group is that of its owner alone, by the convention that it has the owner's name and no other member:
    /// many systems have such groups and a file mode creation mask of 002.
    ///
    /// The corresponding C functions are `getpwuid` and `getgrgid`.
    private static func isOwnGroup(_ status: stat) -> Bool {
        guard let user = unsafe getpwuid(status.st_uid), let group = unsafe getgrgid(status.st_gid),
            unsafe strcmp(user.pointee.pw_name, group.pointee.gr_name) == 0
        else { return false }
        var member = unsafe group.pointee.gr_mem
        while let name = unsafe member?.pointee {
            guard unsafe strcmp(name, user.pointee.pw_name) == 0 else { return false }
            unsafe member = member?.advanced(by: 1)
        }
        return true
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status : nil
    }
}

/// Below which directories everything on the way to a file of vt's own is to be the user's.
private struct OwnPlaces {
    /// The directories of vt.
    private var roots: [String] = []
    /// The home directory with a slash behind it; it is itself none of them.
    private var home: String?

    init() throws(VTError) {
        // Without a home directory vt has no files either.
        guard let directories = try? StateDirectories(.process) else { return }
        for path in [directories.configuration, directories.state, directories.cache] {
            if let real = try OwnPath.realPath(of: path), !roots.contains(real) { roots.append(real) }
        }
        if let real = try OwnPath.realPath(of: directories.home), real != "/" { home = real + "/" }
    }

    func contain(_ path: String) -> Bool {
        if let home, path.hasPrefix(home) { return true }
        return roots.contains { path == $0 || path.hasPrefix($0 + "/") }
    }
}
