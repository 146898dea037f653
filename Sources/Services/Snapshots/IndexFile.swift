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

    /// Reads an index, which is empty if the file does not exist; nil if it is damaged, or has another format.
    init?(at path: String) throws(VTError) {
        guard let file = try OpenFile(reading: path) else {
            (bytes, entries, writtenAt) = ([], [], (0, 0))
            return
        }
        writtenAt = try file.status().modificationTime
        bytes = try file.readToEnd(limit: Self.limitBytes)
        guard let entries = Self.entries(in: bytes) else { return nil }
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

    func contains(_ path: ByteString) -> Bool { entry(of: path) != nil }

    /// The entry of a file; nil if there is none.
    func entry(of path: ByteString) -> Int? {
        var range = indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let candidate = pathBytes(middle)
            if candidate.elementsEqual(path.bytes) { return middle }
            range =
                candidate.lexicographicallyPrecedes(path.bytes)
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    /// Passes the attributes of files in a directory as they are now; nil if they do not exist.
    ///
    /// `nameStart` is the position of the files' names in their paths.
    func examine(
        _ range: Range<Int>,
        in directory: TreeDirectory?,
        nameStart: Int,
        _ body: (_ entry: Int, _ status: stat?) -> Void
    ) throws(VTError) {
        guard let directory else { return range.forEach { body($0, nil) } }
        let starts = entries[range].map { $0.path.lowerBound + nameStart }
        try directory.statuses(at: starts, in: bytes) { body(range.lowerBound + $0, $1) }
    }

    /// Whether a file has the attributes that it had when git read it.
    func matches(_ entry: Int, _ status: stat) -> Bool { comparison(entry, status) == .equal }

    /// Whether a file is as it was when git read it.
    ///
    /// The answer is no if it was read so soon after it was written that it may have been written to again.
    func isCurrent(_ entry: Int, _ status: stat) -> Bool {
        matches(entry, status) && status.modificationTime < writtenAt
    }

    /// Whether a file has other attributes than those that it had when git read it, but equal ones for git, which would
    /// therefore not read it again: most builds of git ignore fractions of seconds.
    func isHiddenFromGit(_ entry: Int, _ status: stat) -> Bool { comparison(entry, status) == .fractions }

    /// Whether git has read this file for the entry, and not another one that was at its path for a moment.
    ///
    /// The size is not compared: git sets it to 0 if it must compare the contents the next time.
    func isRead(_ entry: Int, from status: stat) -> Bool {
        let position = entries[entry].start
        func field(_ index: Int) -> UInt32 { Self.number(at: position + 4 * index, in: bytes) }
        return isOfKind(entry, status) && field(5) == UInt32(truncatingIfNeeded: status.st_ino)
            && field(2) == UInt32(truncatingIfNeeded: status.modificationTime.seconds)
    }

    /// Whether the entry is of a file of the same kind.
    func isOfKind(_ entry: Int, _ status: stat) -> Bool {
        Self.number(at: entries[entry].start + 24, in: bytes) == Self.mode(status)
    }

    /// The entries of the files in a directory and the directories in it.
    func entries(below directory: ByteString) -> Range<Int> {
        func firstIndex(notBefore path: [UInt8]) -> Int {
            var range = indices
            while !range.isEmpty {
                let middle = range.lowerBound + range.count / 2
                range =
                    pathBytes(middle).lexicographicallyPrecedes(path)
                    ? middle + 1..<range.upperBound : range.lowerBound..<middle
            }
            return range.lowerBound
        }
        // The byte after the slash in the order of paths.
        let slash = UInt8(ascii: "/")
        return firstIndex(notBefore: directory.bytes + [slash])..<firstIndex(notBefore: directory.bytes + [slash + 1])
    }

    private enum Comparison {
        case equal, fractions, different
    }

    private func comparison(_ entry: Int, _ status: stat) -> Comparison {
        let position = entries[entry].start
        func field(_ index: Int) -> UInt32 { Self.number(at: position + 4 * index, in: bytes) }
        let (change, modification) = (status.changeTime, status.modificationTime)
        guard field(5) == UInt32(truncatingIfNeeded: status.st_ino), field(6) == Self.mode(status),
            field(7) == status.st_uid, field(8) == status.st_gid,
            field(9) == UInt32(truncatingIfNeeded: status.st_size),
            // git sets the size to 0 if the file must be read again.
            field(9) != 0 || field(10) == Self.emptyBlob,
            field(0) == UInt32(truncatingIfNeeded: change.seconds),
            field(2) == UInt32(truncatingIfNeeded: modification.seconds)
        else { return .different }
        // git can be built without fractions of seconds.
        let fractions = [(field(1), change.nanoseconds), (field(3), modification.nanoseconds)]
        return fractions.allSatisfy { $0 == 0 || $0 == UInt32(truncatingIfNeeded: $1) } ? .equal : .fractions
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
