import Glibc

/// A file with the input of a line, which is removed when it is no longer needed.
final class LineInput {
    let path: String

    init(path: String) {
        self.path = path
    }

    deinit {
        unsafe unlink(path)
    }
}
