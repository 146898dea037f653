import Core
import Glibc
import System

/// Checks a directory that must be accessible only to its owner.
struct DirectoryCheck {
    let finding: Finding

    init(_ name: String, at path: String) {
        finding = Self.finding(name, path)
    }

    private static func finding(_ name: String, _ path: String) -> Finding {
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
        let parent = ExistingDirectory.nearest(to: path)
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
}
