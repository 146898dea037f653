import Core
import Glibc
import System

/// The checks of directories, of the disk and of the SSH agent.
extension DoctorService {
    /// Checks a directory that must be accessible only to its owner.
    static func directory(_ name: String, at path: String) -> Finding {
        let quoted = ByteString(path).shellQuoted.repairedText
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            let failure = errno
            guard failure == ENOENT else {
                return Finding(name, .fail, "cannot examine '\(path)': \(systemErrorText(failure))")
            }
            return absent(name, path)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return Finding(name, .fail, "'\(path)' is not a directory", hint: "rename or remove it")
        }
        guard status.st_uid == geteuid() else {
            return Finding(
                name,
                .fail,
                "'\(path)' is owned by another user",
                hint: "make it your own: chown -R \"$(id -un)\" \(quoted)"
            )
        }
        guard unsafe access(path, R_OK | W_OK | X_OK) == 0 else {
            return Finding(
                name,
                .fail,
                "cannot access '\(path)': \(systemErrorText(errno))",
                hint: "make it private: chmod 700 \(quoted)"
            )
        }
        let mode = status.st_mode & 0o7777
        guard mode & 0o077 == 0 else {
            let text = String(mode, radix: 8)
            return Finding(
                name,
                .warn,
                "'\(path)' has mode \(text): other users have access",
                hint: "make it private: chmod 700 \(quoted)"
            )
        }
        return Finding(name, .ok, "'\(path)'")
    }

    /// The finding for a directory that does not exist: it is created on first use, if its closest existing ancestor is
    /// writable.
    private static func absent(_ name: String, _ path: String) -> Finding {
        let parent = existingDirectory(nearest: path)
        guard unsafe access(parent, W_OK | X_OK) == 0 else {
            return Finding(
                name,
                .fail,
                "cannot create '\(path)': \(systemErrorText(errno))",
                hint: "set VT_HOME to a writable directory"
            )
        }
        return Finding(name, .ok, "'\(path)' does not exist yet")
    }

    /// The minimum free space; with less, sessions cannot be logged.
    private static let minimumFreeBytes: UInt64 = 1 << 20

    /// The path itself, or its closest existing ancestor.
    private static func existingDirectory(nearest path: String) -> String {
        var current = path
        while unsafe access(current, F_OK) != 0 {
            let parent = FileContents.directory(of: current)
            if parent == current { break }
            current = parent
        }
        return current
    }

    /// Checks the disk space for session logs; the corresponding C function is `statvfs`.
    static func disk(_ path: String) -> Finding {
        let directory = existingDirectory(nearest: path)
        let quoted = ByteString(directory).shellQuoted.repairedText
        let hint = "df -h \(quoted)"
        var status = statvfs()
        guard unsafe statvfs(directory, &status) == 0 else {
            return Finding("disk", .fail, "cannot examine '\(directory)': \(systemErrorText(errno))", hint: hint)
        }
        let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
        let text = "\(free >> 20) MiB free on '\(directory)'"
        if status.f_flag & UInt(ST_RDONLY) != 0 {
            return Finding("disk", .fail, "'\(directory)' is on a read-only file system", hint: hint)
        }
        // Some file systems have no fixed number of inodes, and report 0 of 0.
        if status.f_files > 0, status.f_favail == 0 {
            return Finding(
                "disk",
                .fail,
                "full: no free inodes on '\(directory)'",
                hint: "remove files; to see the use of inodes, run: df -i \(quoted)"
            )
        }
        guard free >= minimumFreeBytes else { return Finding("disk", .fail, "full: \(text)", hint: hint) }
        guard free < Session.defaultLogLimitBytes else { return Finding("disk", .ok, text) }
        return Finding("disk", .warn, "\(text), less than the maximum log size of one session", hint: hint)
    }

    /// How long the agent may take to accept a connection.
    private static let agentTimeout = Duration.seconds(1)

    /// Checks whether the SSH agent is running; `path` is the value of SSH_AUTH_SOCK, or nil if it is unset.
    static func agent(_ path: String?) -> Finding {
        let name = "ssh-agent"
        guard let path else { return Finding(name, .ok, "none") }
        do throws(VTError) {
            let failure = try UnixSocket.connect(UnixSocket.make(), to: path, timeout: agentTimeout)
            guard failure == 0 else { throw .system(failure, "cannot connect to '\(path)'") }
            return Finding(name, .ok, "responds at '\(path)'")
        } catch {
            let hint = "start an agent with ssh-agent(1), or unset SSH_AUTH_SOCK"
            return Finding(name, .warn, error.message, hint: hint)
        }
    }
}
