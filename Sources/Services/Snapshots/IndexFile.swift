import Core
import Glibc
import System

/// The files in an index of git, with the attributes that they had when git read them.
///
/// Only indexes in a git directory of vt's own are read, whose configuration determines the format, which is described
/// in gitformat-index(5): version 2 or 3, with IDs of 20 bytes.
struct IndexFile: Sendable {
    private let bytes: [UInt8]
    /// The positions of the entries, in the order of their paths.
    private let entries: [Int]
    private let writtenAt: (seconds: time_t, nanoseconds: Int)

    private static let limitBytes = 1 << 30
    private static let headerBytes = 12
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

    /// The positions of the entries; nil if the file is damaged.
    private static func entries(in bytes: [UInt8]) -> [Int]? {
        guard bytes.count >= headerBytes, bytes.starts(with: Array("DIRC".utf8)),
            (2...3).contains(number(at: 4, in: bytes))
        else { return nil }
        let count = Int(number(at: 8, in: bytes))
        guard count <= bytes.count / entryBytes else { return nil }
        var entries: [Int] = []
        entries.reserveCapacity(count)
        var position = headerBytes
        for _ in 0..<count {
            guard position + entryBytes < bytes.count else { return nil }
            let start = pathStart(of: position, in: bytes)
            // The length that the entry states has only 12 bits.
            let stated = start + (Int(bytes[position + 60]) & 0xF) << 8 + Int(bytes[position + 61])
            guard let end = bytes[min(stated, bytes.count)...].firstIndex(of: 0) else { return nil }
            entries.append(position)
            // Each entry ends with one to eight NULs.
            position += (end - position + 8) & ~7
        }
        return position <= bytes.count ? entries : nil
    }

    /// Version 3 has two more bytes of flags if a bit says so.
    private static func pathStart(of position: Int, in bytes: [UInt8]) -> Int {
        position + entryBytes + (bytes[position + 60] & 0x40 == 0 ? 0 : 2)
    }

    private static func number(at position: Int, in bytes: [UInt8]) -> UInt32 {
        UInt32(bytes[position]) << 24 | UInt32(bytes[position + 1]) << 16 | UInt32(bytes[position + 2]) << 8
            | UInt32(bytes[position + 3])
    }

    // MARK: - Entries

    var indices: Range<Int> { entries.indices }

    func path(_ entry: Int) -> ByteString { ByteString(pathBytes(entry)) }

    /// The path, as a part of the file.
    func pathBytes(_ entry: Int) -> ArraySlice<UInt8> {
        let rest = bytes[Self.pathStart(of: entries[entry], in: bytes)...]
        return rest[..<(rest.firstIndex(of: 0) ?? rest.endIndex)]
    }

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

    /// Passes the attributes of files as they are now.
    func examine(
        _ entries: [Int],
        below root: String,
        _ body: (_ entry: Int, _ status: stat?) -> Void
    ) throws(VTError) {
        let starts = entries.lazy.map { Self.pathStart(of: self.entries[$0], in: bytes) }
        try TreeFile.statuses(at: starts, in: bytes, below: root) { body(entries[$0], $1) }
    }

    /// Whether a file has the attributes that it had when git read it.
    ///
    /// The answer is no if it was read so soon after it was written that it may have been written to again.
    func isCurrent(_ entry: Int, _ status: stat) -> Bool {
        let position = entries[entry]
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
