import Core
import Glibc
import System

/// The files in an index of git, with the attributes that they had when git read them.
///
/// Only indexes in a git directory of vt's own are read, whose configuration determines the format, which is described
/// in gitformat-index(5): version 2 or 3, with IDs of 20 bytes.
struct IndexFile: Sendable {
    private let bytes: [UInt8]
    /// In the order of their paths.
    private let entries: [Entry]
    private let writtenAt: (seconds: time_t, nanoseconds: Int)

    /// Where an entry starts, and where its path is.
    private struct Entry: Sendable {
        var start: Int
        var path: Range<Int>
    }

    private static let limitBytes = 1 << 30
    private static let headerBytes = 12
    /// The size of the checksum at the end.
    private static let checksumBytes = 20
    /// The size of an entry without its path.
    private static let entryBytes = 62

    /// Reads an index, which is empty if the file does not exist.
    ///
    /// - Throws: `config` when the file is damaged.
    init(at path: String) throws(VTError) {
        guard let file = try OpenFile(reading: path) else {
            (bytes, entries, writtenAt) = ([], [], (0, 0))
            return
        }
        writtenAt = try file.status().modificationTime
        bytes = try file.readToEnd(limit: Self.limitBytes)
        guard let entries = Self.entries(in: bytes) else {
            throw VTError(
                .config,
                "'\(path)' is damaged",
                hint: "remove the file; the next snapshot then reads all files"
            )
        }
        self.entries = entries
    }

    /// Nil if the file is damaged.
    private static func entries(in bytes: [UInt8]) -> [Entry]? {
        guard bytes.count >= headerBytes, bytes.starts(with: Array("DIRC".utf8)),
            (2...3).contains(number(at: 4, in: bytes))
        else { return nil }
        let count = Int(number(at: 8, in: bytes))
        guard count <= bytes.count / entryBytes else { return nil }
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        var position = headerBytes
        for _ in 0..<count {
            guard position + entryBytes < bytes.count else { return nil }
            // Version 3 has two more bytes of flags if a bit says so.
            let start = position + entryBytes + (bytes[position + 60] & 0x40 == 0 ? 0 : 2)
            // The length that the entry states has only 12 bits.
            let stated = Int(bytes[position + 60] & 0xF) << 8 | Int(bytes[position + 61])
            guard start + stated < bytes.count, let end = bytes[(start + stated)...].firstIndex(of: 0) else {
                return nil
            }
            entries.append(Entry(start: position, path: start..<end))
            // Each entry ends with one to eight NULs.
            position += (end - position + 8) & ~7
        }
        return position + checksumBytes <= bytes.count ? entries : nil
    }

    private static func number(at position: Int, in bytes: [UInt8]) -> UInt32 {
        UInt32(bytes[position]) << 24 | UInt32(bytes[position + 1]) << 16 | UInt32(bytes[position + 2]) << 8
            | UInt32(bytes[position + 3])
    }

    // MARK: - Entries

    var indices: Range<Int> { entries.indices }

    func path(_ entry: Int) -> ByteString { ByteString(pathBytes(entry)) }

    /// The path, as a part of the file.
    func pathBytes(_ entry: Int) -> ArraySlice<UInt8> { bytes[entries[entry].path] }

    func contains(_ path: ByteString) -> Bool {
        var range = indices
        while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
            let candidate = pathBytes(middle)
            if candidate.elementsEqual(path.bytes) { return true }
            range =
                candidate.lexicographicallyPrecedes(path.bytes)
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return false
    }

    /// Passes the attributes of files in a directory as they are now.
    ///
    /// `nameStart` is the position of the files' names in their paths.
    func examine(
        _ range: Range<Int>,
        in directory: ByteString,
        nameStart: Int,
        _ body: (_ entry: Int, _ status: stat?) -> Void
    ) throws(VTError) {
        let starts = entries[range].map { $0.path.lowerBound + nameStart }
        try TreeFile.statuses(at: starts, in: bytes, of: directory) { body(range.lowerBound + $0, $1) }
    }

    /// Whether a file has the attributes that it had when git read it.
    ///
    /// The answer is no if it was read so soon after it was written that it may have been written to again.
    func isCurrent(_ entry: Int, _ status: stat) -> Bool {
        let position = entries[entry].start
        func field(_ index: Int) -> UInt32 { Self.number(at: position + 4 * index, in: bytes) }
        func isTime(_ time: (seconds: time_t, nanoseconds: Int), at index: Int) -> Bool {
            // git can be built without fractions of seconds.
            field(index) == UInt32(truncatingIfNeeded: time.seconds)
                && (field(index + 1) == 0 || field(index + 1) == UInt32(truncatingIfNeeded: time.nanoseconds))
        }
        guard field(5) == UInt32(truncatingIfNeeded: status.st_ino), field(6) == Self.mode(status),
            field(7) == status.st_uid,
            field(8) == status.st_gid, field(9) == UInt32(truncatingIfNeeded: status.st_size),
            isTime(status.changeTime, at: 0), isTime(status.modificationTime, at: 2)
        else { return false }
        // git sets the size to 0 if the file must be read again.
        if field(9) == 0, field(10) != Self.emptyBlob { return false }
        return status.modificationTime < writtenAt
    }

    /// The start of the ID of an empty file.
    private static let emptyBlob: UInt32 = 0xe69d_e29b

    /// The mode that git has for a file.
    private static func mode(_ status: stat) -> UInt32 {
        switch FileAttributes.Kind(mode: status.st_mode) {
        case .file: status.st_mode & 0o100 == 0 ? 0o100644 : 0o100755
        case .link: 0o120000
        default: 0
        }
    }
}
