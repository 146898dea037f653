import Core
import Glibc
import System

/// The attributes of a file in an index.
struct SavedFile: Sendable {
    /// As in `stat`; 0 if the file has been removed meanwhile, which the next snapshot finds.
    private let mode: mode_t
    private let size: off_t

    init(_ status: stat?) {
        mode = status?.st_mode ?? 0
        size = status?.st_size ?? 0
    }

    /// The low twelve bits of the mode of a regular file; nil for others.
    var permissions: UInt16? {
        FileAttributes.Kind(mode: mode) == .file ? UInt16(mode & 0o7777) : nil
    }

    /// The size of a regular file; 0 for others.
    var sizeBytes: UInt64 { permissions == nil ? 0 : UInt64(clamping: size) }

    /// The files in the output of `git ls-files -z`.
    static func files(in output: [UInt8], of tree: String) throws(VTError) -> [ByteString: SavedFile] {
        var files: [ByteString: SavedFile] = [:]
        files.reserveCapacity(output.count { $0 == 0 })
        try TreeFile.statuses(of: output, in: tree) { path, status in files[path] = SavedFile(status) }
        return files
    }
}
