import Glibc
import System

/// Finds the existing part of a path.
enum ExistingDirectory {
    /// The path itself, or its closest existing ancestor.
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
