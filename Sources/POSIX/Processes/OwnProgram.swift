import Core
import Glibc

/// The program that this process runs.
package enum OwnProgram {
    /// A path that leads to it, also when its file has been replaced or removed since.
    ///
    /// The corresponding C function is `readlink`, on `/proc/self/exe` (proc_pid_exe(5)).
    package static var path: String {
        if let path = FileContents.link(at: "/proc/self/exe"), unsafe access(path, X_OK) == 0 { return path }
        return "/proc/\(getpid())/exe"
    }
}
