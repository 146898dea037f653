import Core
import Glibc

/// The working directory of this process.
package enum WorkingDirectory {
    /// The absolute path, or `.` if the directory has been removed.
    ///
    /// The corresponding C function is `getcwd`.
    package static var path: String { bytes.repairedText }

    /// The bytes of `path`.
    package static var bytes: ByteString {
        guard let path = unsafe getcwd(nil, 0) else { return "." }
        defer { unsafe free(path) }
        return unsafe ByteString(UnsafeRawBufferPointer(start: path, count: strlen(path)))
    }

    /// Makes a path absolute; one that starts with `/` or `~/` is returned unchanged.
    package static func absolute(_ path: String) -> String {
        path.hasPrefix("/") || path.hasPrefix("~/") ? path : "\(self.path)/\(path)"
    }
}
