import Core
import Glibc
import POSIX

/// Writes the record of a session so that it can be replaced on a full disk, too.
///
/// Beside the record lies a file that has its blocks already: where there is no room for a new one, that is written
/// instead, and the two trade places. Readers see the old or the new record whole in either case.
struct RecordFile {
    private let path: String

    /// Blocks of ext4, XFS and tmpfs; a record and all that its end adds to it fit one more than it began with.
    private static let blockBytes = 4096

    init(_ files: SessionFiles) {
        path = files.record
    }

    private var spare: String { path + ".spare" }

    /// Writes the first record, and takes the room for those that follow.
    ///
    /// - Throws: `cannot-create`, `io`: also when there is no room.
    func create(_ json: [UInt8]) throws(VTError) {
        let file = try OpenFile(
            opening: spare,
            O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
            failure: .cannotCreate
        )
        try reserve(file, for: json)
        try replace(json, isDurable: false)
    }

    /// Replaces the record; what is not `isDurable` may be lost when the system crashes.
    ///
    /// - Throws: `cannot-create`, `io`; the record is then as it was.
    func write(_ json: [UInt8], isDurable: Bool) throws(VTError) {
        do throws(VTError) {
            try replace(json, isDurable: isDurable)
        } catch {
            guard (try? writeSpare(json, isDurable: isDurable)) != nil else { throw error }
        }
        if isDurable { try synchronizeDirectory() }
    }

    /// Gives the room back that no record will need any more.
    func finish() {
        unsafe unlink(spare)
    }

    /// Returns when the record is on the disk; one that was replaced since is of no interest.
    func synchronize() {
        // A disk that fails now fails for the next record, too, and then it is told.
        guard let file = try? OpenFile(opening: path, O_RDONLY), (try? file.synchronize()) != nil else { return }
        try? synchronizeDirectory()
    }

    // MARK: - Steps

    private func replace(_ json: [UInt8], isDurable: Bool) throws(VTError) {
        let temporary = path + ".new"
        unsafe unlink(temporary)
        do throws(VTError) {
            let file = try OpenFile(
                opening: temporary,
                O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
                failure: .cannotCreate
            )
            // It may become the spare one.
            try reserve(file, for: json)
            try file.writeAll(json)
            if isDurable { try file.synchronize() }
            guard unsafe rename(temporary, path) == 0 else {
                throw .system(errno, "cannot replace '\(path)'", fallback: .cannotCreate)
            }
        } catch {
            unsafe unlink(temporary)
            throw error
        }
    }

    private func reserve(_ file: borrowing OpenFile, for json: [UInt8]) throws(VTError) {
        let blocks = (json.count + Self.blockBytes - 1) / Self.blockBytes + 1
        let failure = file.reserve(blocks * Self.blockBytes)
        // A file system that cannot do it gives no promise, as vfat and NFS 3.
        guard failure == 0 || failure == EOPNOTSUPP || failure == ENOSYS else {
            throw .system(failure, "cannot write '\(path)'")
        }
    }

    private func writeSpare(_ json: [UInt8], isDurable: Bool) throws(VTError) {
        let file = try OpenFile(opening: spare, O_WRONLY | O_NOFOLLOW)
        let status = try file.status()
        // Blanks behind a document are none of its business; cutting the file would give blocks back.
        let padding = max(0, Int(clamping: status.st_size) - json.count)
        try file.writeAll(json + [UInt8](repeating: UInt8(ascii: " "), count: padding))
        if isDurable { try file.synchronize() }
        guard FileContents.exchange(spare, path) != 0 else { return }
        // Without an exchange this is the last record for which there is room.
        guard unsafe rename(spare, path) == 0 else { throw .system(errno, "cannot replace '\(path)'") }
    }

    private func synchronizeDirectory() throws(VTError) {
        try OpenFile(opening: FileContents.directory(of: path), O_RDONLY | O_DIRECTORY).synchronize()
    }
}
