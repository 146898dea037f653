import Core
import Glibc

/// The executable of this process.
package enum OwnProgram {
    /// A path that refers to the executable even if its file has been replaced or removed.
    ///
    /// The corresponding C function is `readlink`, on `/proc/self/exe` (proc_pid_exe(5)).
    package static var path: String {
        if let path = FileContents.link(at: "/proc/self/exe"), unsafe access(path, X_OK) == 0 { return path }
        return "/proc/\(getpid())/exe"
    }
}
