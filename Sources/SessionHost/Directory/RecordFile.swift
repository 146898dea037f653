import Core
import Glibc
import System

/// Writes a session's record so that it can be replaced even on a full disk.
///
/// A spare file with preallocated blocks is kept beside the record: if there is no space for a new file, the spare is
/// overwritten, and then exchanged with the record. In both cases, readers see a complete record, old or new.
struct RecordFile {
    private let path: String

    /// The usual block size of ext4, XFS and tmpfs; the final record needs at most one block more than the first one.
    private static let blockBytes = 4096

    init(_ files: SessionFiles) {
        path = files.record
    }

    private var spare: String { path + ".spare" }

    /// Writes the first record, and reserves the space for later ones.
    ///
    /// - Throws: `cannot-create` or `io`, including when the disk is full.
    func create(_ json: [UInt8]) throws(VTError) {
        let file = try OpenFile(
            opening: spare,
            O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
            failure: .cannotCreate
        )
        try file.reserve(Self.reservedBytes(for: json))
        try replace(json, isDurable: false)
    }

    /// Replaces the record; unless `isDurable` is set, the change can be lost if the system crashes.
    ///
    /// - Throws: `cannot-create`, `io`; the record is then unchanged.
    func write(_ json: [UInt8], isDurable: Bool) throws(VTError) {
        do throws(VTError) {
            try replace(json, isDurable: isDurable)
        } catch {
            guard (try? writeSpare(json, isDurable: isDurable)) != nil else { throw error }
            if isDurable { try synchronizeDirectory() }
        }
    }

    /// Releases the reserved space once no further record will be written.
    func finish() {
        unsafe unlink(spare)
    }

    /// Syncs the record to disk.
    ///
    /// On journaling file systems, the first sync after a rename writes both the record and its name.
    func synchronize() {
        // On failure, the record remains readable, but can be lost if the system crashes.
        guard let file = try? OpenFile(opening: path, O_RDONLY), (try? file.synchronize()) != nil else { return }
        try? synchronizeDirectory()
    }

    // MARK: - Steps

    private func replace(_ json: [UInt8], isDurable: Bool) throws(VTError) {
        // This file may become the spare.
        let reserved = Self.reservedBytes(for: json)
        try FileContents.replace(path, with: json, isDurable: isDurable, reservedBytes: reserved)
    }

    private static func reservedBytes(for json: [UInt8]) -> Int {
        ((json.count + blockBytes - 1) / blockBytes + 1) * blockBytes
    }

    private func writeSpare(_ json: [UInt8], isDurable: Bool) throws(VTError) {
        let file = try OpenFile(opening: spare, O_WRONLY | O_NOFOLLOW)
        let status = try file.status()
        // Trailing blanks are valid JSON; truncating the file would release its reserved blocks.
        let padding = max(0, Int(clamping: status.st_size) - json.count)
        try file.writeAll(json + [UInt8](repeating: UInt8(ascii: " "), count: padding))
        if isDurable { try file.synchronize() }
        guard FileContents.exchange(spare, path) != 0 else { return }
        // If the files cannot be exchanged, the spare is used up, and no space is reserved for later records.
        guard unsafe rename(spare, path) == 0 else { throw .system(errno, "cannot replace '\(path)'") }
    }

    private func synchronizeDirectory() throws(VTError) {
        try OpenFile(opening: FileContents.directory(of: path), O_RDONLY | O_DIRECTORY).synchronize()
    }
}
