import Core
import Glibc
import Synchronization

/// A private directory for temporary files, removed with all registered files when the last reference is released.
package final class PrivateDirectory: Sendable {
    package let path: String
    private let names = Mutex<Set<String>>([])

    /// Creates the directory in `$TMPDIR` or `/tmp`, with mode 0700; throws `cannot-create`.
    ///
    /// The corresponding C function is `mkdtemp`.
    package init() throws(VTError) {
        let parent = Environment.process["TMPDIR"] ?? "/tmp"
        var template = Array("\(parent)/vt-XXXXXX".utf8CString)
        let isMade = unsafe template.withUnsafeMutableBufferPointer { template in
            unsafe template.baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
        }
        guard isMade else {
            throw .system(errno, "cannot create a temporary directory in '\(parent)'", fallback: .cannotCreate)
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        // A file that cannot be removed is left to the system's cleanup of temporary files.
        for name in names.withLock({ $0 }) { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir(path)
    }

    /// Writes a new file.
    package func write(_ bytes: [UInt8], to name: String) throws(VTError) {
        register(name)
        let file = try OpenFile(
            opening: "\(path)/\(name)",
            O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
            failure: .cannotCreate
        )
        try file.writeAll(bytes)
    }

    /// Registers a file that another program might create, to be removed with the directory.
    package func register(_ name: String) {
        _ = names.withLock { $0.insert(name) }
    }
}
