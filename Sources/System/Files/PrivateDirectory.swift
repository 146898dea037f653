import CLinux
import Core
import Glibc

/// A private directory for temporary files, removed with its contents when the last reference is released.
package final class PrivateDirectory: Sendable {
    package let path: String

    /// Creates the directory in `$TMPDIR` or `/tmp`, with mode 0700; throws `cannot-create`.
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

    /// Removes everything in the directory, including what other programs have written there.
    deinit {
        // A file that cannot be removed is left to the system's cleanup of temporary files.
        unsafe clinux_remove_tree(path)
    }

    /// Writes a new file.
    package func write(_ bytes: [UInt8], to name: String) throws(VTError) {
        try write([StoredBytes(bytes)], to: name)
    }

    /// Writes a new file that consists of several parts.
    package func write(_ parts: [StoredBytes], to name: String) throws(VTError) {
        let file = try OpenFile(
            opening: "\(path)/\(name)",
            O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
            failure: .cannotCreate
        )
        for chunk in parts.lazy.flatMap(\.chunks) { try file.writeAll(try chunk.read()) }
    }
}
