import Core
import Glibc

/// A new file that receives output as it arrives; closed when the sink is released.
///
/// Writes block, which is acceptable for files on a local disk. The mode is 0600, and symbolic links are not followed.
package final class FileSink: ByteSink {
    private let file: OpenFile

    /// Creates the file; with `replacing`, an existing file is truncated.
    ///
    /// - Throws: `exists` when the file exists and must not be replaced; `cannot-create`.
    package init(_ path: String, replacing: Bool) throws(VTError) {
        let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | (replacing ? O_TRUNC : O_EXCL)
        file = try OpenFile(opening: path, flags, failure: .cannotCreate)
    }

    package func write(_ bytes: [UInt8]) async throws(VTError) {
        try file.writeAll(bytes)
    }
}
