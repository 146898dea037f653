import Core
import Glibc

/// The working directory of this process.
package enum WorkingDirectory {
    /// The absolute path, or `.` if the directory has been removed.
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

    /// The absolute path of a directory without symbolic links; the corresponding C function is `realpath`.
    ///
    /// - Throws: `not-found`; `data.invalid` when the path is not UTF-8.
    package static func real(_ path: String) throws(VTError) -> String {
        guard let real = unsafe realpath(path, nil) else { throw .system(errno, "cannot enter '\(path)'") }
        defer { unsafe free(real) }
        let bytes = unsafe ByteString(UnsafeRawBufferPointer(start: real, count: strlen(real)))
        guard let text = bytes.text else {
            throw VTError(.dataInvalid, "the path of '\(bytes.repairedText)' is not valid UTF-8")
        }
        return text
    }

    /// The path of a process's directory; nil if it cannot be read, for example because the process has exited.
    ///
    /// The path of a removed directory ends with ` (deleted)` (proc_pid_cwd(5)).
    package static func path(of processID: pid_t) -> String? {
        FileContents.link(at: "/proc/\(processID)/cwd")
    }
}
