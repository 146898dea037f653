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
        guard let file = try OpenFile(reading: path) else { return nil }
        try check(directory: FileContents.directory(of: path))
        try check(try file.status(), of: path)
        return file
    }

    /// Checks a directory of vt's own, and that nobody else can put another in its place; none is none of others.
    ///
    /// The corresponding C functions are `realpath` and `lstat`.
    package static func check(directory path: String) throws(VTError) {
        guard let real = unsafe realpath(path, nil) else {
            guard errno != ENOENT else { return }
            throw .system(errno, "cannot examine '\(path)'")
        }
        defer { unsafe free(real) }
        var current = unsafe String(cString: real)
        guard let own = status(of: current) else { return }
        try check(own, of: current)
        while current != "/" {
            current = FileContents.directory(of: current)
            guard let above = status(of: current) else { continue }
            // Where the sticky bit is set, as for /tmp, others cannot rename what is not theirs (chmod(2)).
            guard above.st_mode & S_ISVTX == 0 else { continue }
            try checkMode(above, of: current)
        }
    }

    /// Checks what is known of one file or directory of vt's own.
    ///
    /// - Throws: `config` when it belongs to another user than this one or root, or others may write it.
    package static func check(_ status: stat, of path: String) throws(VTError) {
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw VTError(
                .config,
                "'\(path)' belongs to another user (\(status.st_uid))",
                hint: "ls -ld \(ByteString(path).shellQuoted.repairedText)"
            )
        }
        try checkMode(status, of: path)
    }

    private static func checkMode(_ status: stat, of path: String) throws(VTError) {
        let isGroups = status.st_mode & S_IWGRP != 0 && !isOwnGroup(status)
        guard isGroups || status.st_mode & S_IWOTH != 0 else { return }
        throw VTError(
            .config,
            "'\(path)' may be written by others",
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
