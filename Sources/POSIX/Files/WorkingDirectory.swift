import Core
import Glibc

/// Where this process is.
package enum WorkingDirectory {
    /// The absolute path, or `.` where it has been removed.
    ///
    /// The corresponding C function is `getcwd`.
    package static var path: String {
        guard let path = unsafe getcwd(nil, 0) else { return "." }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// The path seen from everywhere; one that begins with `/` or `~/` stays as it is.
    package static func absolute(_ path: String) -> String {
        path.hasPrefix("/") || path.hasPrefix("~/") ? path : "\(self.path)/\(path)"
    }
}
