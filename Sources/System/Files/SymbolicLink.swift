import Core
import Glibc

/// Creates symbolic links.
package enum SymbolicLink {
    /// Makes `path` a link to `target`, atomically replacing an existing link.
    ///
    /// The corresponding C functions are `symlink` and `rename`.
    package static func replace(_ path: String, with target: String) throws(VTError) {
        let fresh = "\(path).\(RandomIdentifier.make())"
        guard unsafe symlink(target, fresh) == 0 else {
            throw .system(errno, "cannot create '\(path)'", fallback: .cannotCreate)
        }
        guard unsafe rename(fresh, path) == 0 else {
            let failure = errno
            _ = unsafe unlink(fresh)
            throw .system(failure, "cannot create '\(path)'", fallback: .cannotCreate)
        }
    }
}
