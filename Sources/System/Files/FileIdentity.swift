import Glibc

/// Identifies the file at a path, to detect that another process has replaced it.
package struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let number: ino_t

    /// Returns nil if there is no such file.
    package init?(at path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        device = status.st_dev
        number = status.st_ino
    }

    /// Removes the file at the path if it is this one.
    package func remove(at path: String) {
        if FileIdentity(at: path) == self { unsafe unlink(path) }
    }
}
