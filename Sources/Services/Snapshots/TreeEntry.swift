import Core

/// A file in a tree of git: a regular file or a symbolic link.
struct TreeEntry: Hashable, Sendable {
    /// `100644`, `100755` or `120000`.
    var mode: ByteString
    var objectID: ByteString
    /// Relative to the tree.
    var path: ByteString

    var isRegular: Bool { mode != "120000" }
    var isExecutable: Bool { mode == "100755" }

    /// Parses the output of `git ls-tree -r -z`: `MODE TYPE OBJECT TAB PATH NUL`.
    ///
    /// - Throws: `protocol` when the output has another form.
    static func parse(_ output: [UInt8]) throws(VTError) -> [TreeEntry] {
        var entries: [TreeEntry] = []
        for line in output.split(separator: 0) {
            guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { throw Git.unexpectedOutput("ls-tree") }
            let words = line[..<tab].split(separator: UInt8(ascii: " "))
            guard words.count == 3 else { throw Git.unexpectedOutput("ls-tree") }
            entries.append(
                TreeEntry(
                    mode: ByteString(words[0]),
                    objectID: ByteString(words[2]),
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
        mode.allSatisfy { $0 == UInt8(ascii: "0") }
            ? nil : TreeEntry(mode: ByteString(mode), objectID: ByteString(objectID), path: path)
    }
}
