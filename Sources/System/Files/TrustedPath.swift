import Core
import Glibc

/// Rejects vt's own files if another user owns or can change them, as sshd does with a user's files (sshd_config(5),
/// StrictModes).
///
/// Such a file could make vt run commands as the user, because profiles contain commands.
package enum TrustedPath {
    /// Reads one of vt's own files; nil if it does not exist.
    ///
    /// - Throws: `config` when another user owns or can change the file or one of its parent directories; errors
    ///   thrown by `FileContents.read`.
    package static func read(_ path: String) throws(VTError) -> [UInt8]? {
        guard let file = try open(path) else { return nil }
        return try file.readToEnd(limit: FileContents.limitBytes)
    }

    /// Opens one of vt's own files for reading; nil if it does not exist.
    package static func open(_ path: String) throws(VTError) -> OpenFile? {
        let file = try OpenFile(reading: path)
        try check(directory: FileContents.directory(of: path))
        guard let file else { return nil }
        try check(try file.status(), of: path)
        return file
    }

    /// Checks one of vt's own directories, or the parent in which it would be created.
    ///
    /// The user or root must own the directory and every parent that is in one of vt's own directories or below the
    /// home directory. For directories above those, it suffices that other users cannot replace the directory. A
    /// missing directory is not an error.
    ///
    /// The corresponding C functions are `realpath` and `lstat`.
    package static func check(directory path: String) throws(VTError) {
        guard let existing = try nearestExisting(to: path) else { return }
        var current = existing.real
        let places = try OwnPlaces()
        if existing.path == path, let own = status(of: current) { try check(own, of: current) }
        while true {
            if let found = status(of: current) {
                if places.contain(current) { try check(found, of: current) } else { try checkWay(found, of: current) }
            }
            guard current != "/" else { return }
            current = FileContents.directory(of: current)
        }
    }

    /// Creates one of vt's own directories, if missing, and checks it; nothing is created if the check fails.
    ///
    /// Files can then be created in it, unless `isOwn` is false, as for a directory of OpenSSH.
    ///
    /// Root creates nothing in the directory of another user, who could not use it afterward: with `sudo`, HOME can be
    /// the home directory of the caller.
    ///
    /// The corresponding C functions are `mkdir` and `faccessat`.
    ///
    /// - Throws: `config`, as `check(directory:)`; `cannot-create`.
    package static func make(directory path: String, isOwn: Bool = true) throws(VTError) {
        try check(directory: path)
        if geteuid() == 0, let parent = try nearestExisting(to: path), let found = status(of: parent.real) {
            guard found.st_uid == 0 else { throw foreign(found, parent.path) }
        }
        do throws(VTError) {
            try FileContents.makeDirectory(path)
            try check(directory: path)
            guard isOwn, unsafe faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0 else { return }
            throw .system(errno, "cannot create a file in '\(path)'", fallback: .cannotCreate)
        } catch {
            guard isOwn, error.code == .cannotCreate else { throw error }
            var error = error
            error.hint = "set VT_HOME to a directory in which vt can create files"
            throw error
        }
    }

    /// Returns the path itself or its nearest parent that exists, and its real path.
    private static func nearestExisting(to path: String) throws(VTError) -> (path: String, real: String)? {
        var existing = path
        var real = try realPath(of: existing)
        while real == nil, existing != FileContents.directory(of: existing) {
            existing = FileContents.directory(of: existing)
            real = try realPath(of: existing)
        }
        return real.map { (existing, $0) }
    }

    /// Returns nil if the file or directory does not exist.
    fileprivate static func realPath(of path: String) throws(VTError) -> String? {
        guard let real = unsafe realpath(path, nil) else {
            guard errno != ENOENT, errno != ENOTDIR else { return nil }
            throw .system(errno, "cannot examine '\(path)'")
        }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// Checks the status of one of vt's own files or directories.
    ///
    /// This also applies to root, as in ssh(1): otherwise another user's files could make vt run commands as root.
    ///
    /// - Throws: `config` when its owner is neither this user nor root, or when others can write to it.
    package static func check(_ status: stat, of path: String) throws(VTError) {
        guard status.st_uid == geteuid() || status.st_uid == 0 else { throw foreign(status, path) }
        let isGroups = status.st_mode & S_IWGRP != 0 && !isOwnGroup(status)
        guard isGroups || status.st_mode & S_IWOTH != 0 else { return }
        throw writable(path)
    }

    private static func foreign(_ status: stat, _ path: String) -> VTError {
        VTError(
            .config,
            "'\(path)' is owned by another user (uid \(status.st_uid))",
            hint: "set VT_HOME to a directory of your own, or: "
                + "chown \(geteuid()) \(ByteString(path).shellQuoted.repairedText)"
        )
    }

    /// Checks a parent directory that is not vt's own.
    ///
    /// Its owner and group do not matter: if they replace vt's directory, the new one has another owner and is
    /// rejected. With the sticky bit, as on /tmp, other users cannot rename files they do not own (chmod(2)).
    private static func checkWay(_ status: stat, of path: String) throws(VTError) {
        guard status.st_mode & S_ISVTX == 0, status.st_mode & S_IWOTH != 0 else { return }
        throw writable(path)
    }

    private static func writable(_ path: String) -> VTError {
        VTError(
            .config,
            "'\(path)' is writable by other users",
            hint: "remove the write permission of others: chmod go-w \(ByteString(path).shellQuoted.repairedText)"
        )
    }

    /// Whether the group is the owner's private group, by convention a group with the owner's name and no other
    /// members: many systems have such groups and a umask of 002.
    private static func isOwnGroup(_ status: stat) -> Bool {
        guard let user = AccountDatabase.users.entry(status.st_uid),
            let group = AccountDatabase.groups.entry(status.st_gid), user[0] == group[0]
        else { return false }
        return group[3].split(separator: ",").allSatisfy { $0 == user[0] }
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status : nil
    }
}

/// The directories in which the user or root must own every parent of vt's own files.
private struct OwnPlaces {
    /// vt's own directories.
    private var roots: [String] = []
    /// The home directory with a trailing slash; the directory itself is not included.
    private var home: String?

    init() throws(VTError) {
        // Without a home directory, vt has no files of its own.
        guard let directories = try? StateDirectories(.process) else { return }
        for path in [directories.configuration, directories.state] {
            if let real = try TrustedPath.realPath(of: path), !roots.contains(real) { roots.append(real) }
        }
        if let path = directories.home, let real = try TrustedPath.realPath(of: path), real != "/" { home = real + "/" }
    }

    func contain(_ path: String) -> Bool {
        if let home, path.hasPrefix(home) { return true }
        return roots.contains { path == $0 || path.hasPrefix($0 + "/") }
    }
}
