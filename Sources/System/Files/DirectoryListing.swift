import Core
import Glibc

/// Lists directories.
package enum DirectoryListing {
    /// The names in a directory except `.` and `..`; empty if the directory does not exist.
    ///
    /// The corresponding C functions are `opendir` and `readdir`.
    package static func names(in path: String) throws(VTError) -> [String] {
        guard let stream = unsafe opendir(path) else {
            guard errno != ENOENT else { return [] }
            throw .system(errno, "cannot read '\(path)'")
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
