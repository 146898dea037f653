import Glibc
import POSIX

/// The part of a path that exists.
enum ExistingDirectory {
    /// The path itself, or its nearest ancestor that exists.
    static func nearest(to path: String) -> String {
        var current = path
        while unsafe access(current, F_OK) != 0 {
            let parent = FileContents.directory(of: current)
            if parent == current { break }
            current = parent
        }
        return current
    }
}
