import Core

/// What a snapshot contains besides the files in git's tree: permissions, and directories without saved files.
struct Manifest: Equatable, Sendable {
    /// The modes of the saved regular files: the low twelve bits, as for chmod(1).
    var files: [ByteString: UInt16] = [:]
    /// The modes of the directories, including the tree itself, whose path is empty.
    var directories: [ByteString: UInt16] = [:]
    /// The directories below which no file is saved.
    var emptyDirectories: Set<ByteString> = []

    /// The owner's permission to execute, the only one that git saves.
    static let executable: UInt16 = 0o100

    /// The modes that most files have, which are not repeated for each file.
    struct UsualModes {
        var plain: UInt16
        var executable: UInt16

        /// The mode that a file has if it can be executed like one with the given mode.
        func mode(like mode: UInt16) -> UInt16 { mode & Manifest.executable == 0 ? plain : executable }
    }

    /// How many files have each mode.
    struct ModeCounts {
        private var counts = [Int](repeating: 0, count: 0o10000)

        mutating func add(_ mode: UInt16) { counts[Int(mode)] += 1 }

        /// The smallest of the most frequent modes that are included; nil if there is none.
        func mostFrequent(where isIncluded: (UInt16) -> Bool = { _ in true }) -> UInt16? {
            let modes = counts.indices.filter { counts[$0] > 0 && isIncluded(UInt16($0)) }
            return modes.max { (counts[$0], $1) < (counts[$1], $0) }.map { UInt16($0) }
        }

        var usual: UsualModes {
            UsualModes(
                plain: mostFrequent { $0 & Manifest.executable == 0 } ?? 0o644,
                executable: mostFrequent { $0 & Manifest.executable != 0 } ?? 0o755
            )
        }
    }

    // MARK: - Encoding

    /// The modes that most files and directories have, and then an entry for each exception and each directory without
    /// saved files: the letter `f`, `d` or `e`, the mode in octal, a space, the path and NUL.
    ///
    /// Files with usual modes may be missing. Equal manifests have equal encodings.
    func encoded(_ usual: UsualModes) -> [UInt8] {
        var counts = ModeCounts()
        for mode in directories.values { counts.add(mode) }
        let directoryMode = counts.mostFrequent() ?? 0o755
        var entries: [(path: ByteString, letter: String, mode: UInt16)] = []
        for (path, mode) in files where mode != usual.mode(like: mode) { entries.append((path, "f", mode)) }
        for (path, mode) in directories {
            if emptyDirectories.contains(path) {
                entries.append((path, "e", mode))
            } else if mode != directoryMode {
                entries.append((path, "d", mode))
            }
        }
        entries.sort { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
        let modes = [usual.plain, usual.executable, directoryMode].map { String($0, radix: 8) }
        var bytes = Array(modes.joined(separator: " ").utf8) + [0]
        for entry in entries {
            bytes += Array("\(entry.letter)\(String(entry.mode, radix: 8)) ".utf8)
            bytes += entry.path.bytes
            bytes.append(0)
        }
        return bytes
    }

    // MARK: - Decoding

    /// Decodes the manifest of the entries of a git tree.
    ///
    /// - Throws: `config` when the bytes are not a manifest.
    init(decoding bytes: [UInt8], of entries: [TreeEntry]) throws(VTError) {
        var parts = bytes.split(separator: 0, omittingEmptySubsequences: false)[...]
        let damaged = VTError(.config, "the manifest of a snapshot is damaged")
        let modes = String(decoding: parts.popFirst() ?? [], as: UTF8.self).split(separator: " ")
            .compactMap { UInt16($0, radix: 8) }
        guard modes.count == 3, parts.popLast()?.isEmpty == true else { throw damaged }
        for parent in entries.lazy.map(\.path).parentDirectories { directories[parent] = modes[2] }
        for entry in entries {
            if entry.isRegular { files[entry.path] = entry.isExecutable ? modes[1] : modes[0] }
        }
        directories[""] = modes[2]
        for part in parts {
            guard let letter = part.first, let space = part.firstIndex(of: UInt8(ascii: " ")),
                let mode = UInt16(
                    String(decoding: part[part.index(after: part.startIndex)..<space], as: UTF8.self),
                    radix: 8
                )
            else { throw damaged }
            let path = ByteString(part[(space + 1)...])
            switch letter {
            case UInt8(ascii: "f"): files[path] = mode
            case UInt8(ascii: "d"): directories[path] = mode
            case UInt8(ascii: "e"):
                for parent in path.parentDirectories where directories[parent] == nil { directories[parent] = modes[2] }
                directories[path] = mode
                emptyDirectories.insert(path)
            default: throw damaged
            }
        }
    }

    init() {}
}

extension ByteString {
    /// The directories that contain a file of a tree, without the tree itself: `a/b` and `a` for `a/b/c`.
    var parentDirectories: [ByteString] {
        var parents: [ByteString] = []
        var rest = bytes[...]
        while let slash = rest.lastIndex(of: UInt8(ascii: "/")) {
            rest = rest[..<slash]
            parents.append(ByteString(rest))
        }
        return parents
    }

    /// Whether this is the path of the file or directory `other`, or of a file below it.
    func isBelowOrEqual(_ other: ByteString) -> Bool {
        self == other || other.bytes.isEmpty || bytes.starts(with: other.bytes + [UInt8(ascii: "/")])
    }
}

extension Sequence<ByteString> {
    /// The directories that contain these files of a tree, without the tree itself.
    var parentDirectories: Set<ByteString> {
        var parents: Set<ByteString> = []
        for path in self {
            var rest = path.bytes[...]
            while let slash = rest.lastIndex(of: UInt8(ascii: "/")) {
                rest = rest[..<slash]
                // The directories that contain a known one are known, too.
                guard parents.insert(ByteString(rest)).inserted else { break }
            }
        }
        return parents
    }
}
