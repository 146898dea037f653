import Core
import Glibc
import Synchronization

/// A directory for temporary files that nobody else sees; it goes with its last user, and all files in it that are known.
package final class PrivateDirectory: Sendable {
    package let path: String
    private let names = Mutex<Set<String>>([])

    /// Makes the directory in `$TMPDIR`, or `/tmp`, with mode 0700; `cannot-create` when that fails.
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
        // What cannot be removed stays for whoever cleans up after all programs.
        for name in names.withLock({ $0 }) { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir(path)
    }

    /// Writes a new file.
    package func write(_ bytes: [UInt8], to name: String) throws(VTError) {
        note(name)
        let file = try OpenFile(
            opening: "\(path)/\(name)",
            O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
            failure: .cannotCreate
        )
        try file.writeAll(bytes)
    }

    /// Knows of a file that another program may make.
    package func note(_ name: String) {
        _ = names.withLock { $0.insert(name) }
    }
}
