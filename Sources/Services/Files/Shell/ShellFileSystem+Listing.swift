import Core

/// The output of stat(1), from which attributes are read.
extension ShellFileSystem {
    /// The type and permissions in hexadecimal, the size, the times of access and modification in seconds, and the owner.
    static let statusFormat: ByteString = "-c '%f %s %X %Y %u %g' "
    /// Like `statusFormat`, followed by the name, which cannot contain the two slashes that terminate it.
    static let entryFormat: ByteString = "-c '%f %s %X %Y %u %g %n//'"

    /// Parses a line in `statusFormat`.
    static func attributes(_ line: ArraySlice<UInt8>) -> FileAttributes? {
        let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        guard words.count == 6 else { return nil }
        return attributes(words)
    }

    /// Parses records in `entryFormat`, whose names start with `./`.
    static func entries(_ output: ArraySlice<UInt8>) -> [DirectoryEntry]? {
        var entries: [DirectoryEntry] = []
        var rest = output
        while !rest.isEmpty {
            guard let end = rest.firstRange(of: Array("//\n".utf8)) else { return nil }
            let words = rest[..<end.lowerBound].split(
                separator: UInt8(ascii: " "),
                maxSplits: 6,
                omittingEmptySubsequences: false
            )
            guard words.count == 7, let attributes = attributes(words.dropLast()), words[6].starts(with: "./".utf8)
            else { return nil }
            let name = ByteString(words[6].dropFirst(2))
            guard name.isEntryName else { return nil }
            entries.append(DirectoryEntry(name: name, attributes: attributes))
            rest = rest[end.upperBound...]
        }
        return entries
    }

    private static func attributes(_ words: some Sequence<ArraySlice<UInt8>>) -> FileAttributes? {
        let words = words.map { String(decoding: $0, as: UTF8.self) }
        guard let mode = UInt32(words[0], radix: 16), let size = UInt64(words[1]), let accessed = Int64(words[2]),
            let modified = Int64(words[3]), let userID = UInt32(words[4]), let groupID = UInt32(words[5])
        else { return nil }
        return FileAttributes(
            kind: FileAttributes.Kind(mode: mode),
            sizeBytes: size,
            mode: UInt16(mode & 0o7777),
            times: FileTimes(accessed: accessed, modified: modified),
            owner: FileOwner(userID: userID, groupID: groupID)
        )
    }
}
