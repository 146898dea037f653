import Core

/// A file in a tree of git: a regular file or a symbolic link.
struct TreeEntry: Hashable, Sendable {
    enum Mode: UInt32, Sendable {
        case plain = 0o100644
        case executable = 0o100755
        case link = 0o120000

        /// Nil for other digits than those of a file's mode, such as 000000 for a file that does not exist.
        init?(_ digits: ArraySlice<UInt8>) {
            self.init(rawValue: digits.reduce(0) { $0 << 3 | UInt32($1 & 7) })
        }
    }

    var mode: Mode
    var objectID: ByteString
    /// Relative to the tree.
    var path: ByteString

    var isRegular: Bool { mode != .link }
    var isExecutable: Bool { mode == .executable }

    /// Parses the output of `git ls-tree -r -z`: `MODE TYPE OBJECT TAB PATH NUL`.
    ///
    /// - Throws: `protocol` when the output has another form.
    static func parse(_ output: [UInt8]) throws(VTError) -> [TreeEntry] {
        var entries: [TreeEntry] = []
        entries.reserveCapacity(output.count { $0 == 0 })
        for line in output.split(separator: 0) {
            guard let tab = line.firstIndex(of: UInt8(ascii: "\t")),
                let space = line[..<tab].lastIndex(of: UInt8(ascii: " ")),
                let mode = Mode(line.prefix { $0 != UInt8(ascii: " ") })
            else { throw Git.unexpectedOutput("ls-tree") }
            entries.append(
                TreeEntry(
                    mode: mode,
                    objectID: ByteString(line[(space + 1)..<tab]),
                    path: ByteString(line[(tab + 1)...])
                )
            )
        }
        return entries
    }
}

/// A file that differs between two trees of git.
struct TreeChange: Hashable, Sendable {
    /// Nil if the file does not exist in the old tree.
    var old: TreeEntry?
    /// Nil if the file does not exist in the new tree.
    var new: TreeEntry?
    var path: ByteString

    /// Parses the output of `git diff-tree -r -z --raw --no-renames`:
    /// `:OLDMODE NEWMODE OLDOBJECT NEWOBJECT STATUS NUL PATH NUL`.
    ///
    /// - Throws: `protocol` when the output has another form.
    static func parse(_ output: [UInt8]) throws(VTError) -> [TreeChange] {
        let parts = output.split(separator: 0)
        guard parts.count.isMultiple(of: 2) else { throw Git.unexpectedOutput("diff-tree") }
        var changes: [TreeChange] = []
        for index in stride(from: 0, to: parts.count, by: 2) {
            let words = parts[index].dropFirst().split(separator: UInt8(ascii: " "))
            guard words.count == 5 else { throw Git.unexpectedOutput("diff-tree") }
            let path = ByteString(parts[index + 1])
            changes.append(
                TreeChange(
                    old: entry(words[0], words[2], path),
                    new: entry(words[1], words[3], path),
                    path: path
                )
            )
        }
        return changes
    }

    private static func entry(_ mode: ArraySlice<UInt8>, _ objectID: ArraySlice<UInt8>, _ path: ByteString)
        -> TreeEntry?
    {
        TreeEntry.Mode(mode).map { TreeEntry(mode: $0, objectID: ByteString(objectID), path: path) }
    }
}
