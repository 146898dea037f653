import Core
import Glibc
import System

/// Writes the record of a session so that it can be replaced even on a full disk, and removes what is needed to resume it.
///
/// A spare file with preallocated blocks is kept beside the record: if there is no space for a new file, the spare is
/// overwritten, and then exchanged with the record. In both cases, readers see a complete record, old or new.
extension SessionFiles {
    /// The usual block size of ext4, XFS and tmpfs; the final record needs at most one block more than the first one.
    private static let blockBytes = 4096

    private var spare: String { record + ".spare" }

    /// Writes the first record, and reserves the space for later ones.
    ///
    /// - Throws: `cannot-create` or `io`, including when the disk is full.
    func createRecord(_ json: [UInt8]) throws(VTError) {
        let file = try OpenFile(opening: spare, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, failure: .cannotCreate)
        try file.reserve(Self.reservedBytes(for: json))
        try replaceRecord(json, isDurable: false)
    }

    /// Replaces the record; unless `isDurable` is set, the change can be lost if the system crashes.
    ///
    /// - Throws: `cannot-create`, `io`; the record is then unchanged.
    func writeRecord(_ json: [UInt8], isDurable: Bool) throws(VTError) {
        do throws(VTError) {
            try replaceRecord(json, isDurable: isDurable)
        } catch {
            guard (try? writeSpare(json, isDurable: isDurable)) != nil else { throw error }
            if isDurable { try synchronizeDirectory() }
        }
    }

    /// Releases the reserved space once no further record will be written.
    func finishRecord() {
        unsafe unlink(spare)
    }

    /// Syncs the record to disk.
    ///
    /// On journaling file systems, the first sync after a rename writes both the record and its name.
    func synchronizeRecord() {
        // On failure, the record remains readable, but can be lost if the system crashes.
        guard let file = try? OpenFile(opening: record, O_RDONLY), (try? file.synchronize()) != nil else { return }
        try? synchronizeDirectory()
    }

    // MARK: - Steps

    private func replaceRecord(_ json: [UInt8], isDurable: Bool) throws(VTError) {
        // This file may become the spare.
        let reserved = Self.reservedBytes(for: json)
        try FileContents.replace(record, with: json, isDurable: isDurable, reservedBytes: reserved)
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
        guard FileContents.exchange(spare, record) != 0 else { return }
        // If the files cannot be exchanged, the spare is used up, and no space is reserved for later records.
        guard unsafe rename(spare, record) == 0 else { throw .system(errno, "cannot replace '\(record)'") }
    }

    private func synchronizeDirectory() throws(VTError) {
        try OpenFile(opening: FileContents.directory(of: record), O_RDONLY | O_DIRECTORY).synchronize()
    }

    // MARK: - Pauses

    /// The lines that a resumed shell reads to change its environment; exists only for a moment.
    var environmentChanges: String { "\(environment).load" }

    /// Removes what is needed to resume the session.
    func removePause() {
        for path in [paused, environment, environmentChanges] { unsafe unlink(path) }
    }
}
