import Core
import Glibc

/// Checks the disk space for session logs.
struct DiskCheck {
    let finding: Finding

    /// The minimum free space; with less, sessions cannot be logged.
    private static let minimumBytes: UInt64 = 1 << 20

    init(_ path: String) {
        finding = Self.finding(path)
    }

    /// The corresponding C function is `statvfs`.
    private static func finding(_ path: String) -> Finding {
        let directory = ExistingDirectory.nearest(to: path)
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
        guard free >= minimumBytes else { return Finding("disk", .fail, "full: \(text)", hint: hint) }
        guard free < Session.defaultLogLimitBytes else { return Finding("disk", .ok, text) }
        return Finding("disk", .warn, "\(text), less than the maximum log size of one session", hint: hint)
    }
}
