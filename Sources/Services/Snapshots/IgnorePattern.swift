import Core
import Glibc
import System

/// A pattern of gitignore(5).
struct IgnorePattern: Sendable {
    /// Whether files that match are not ignored after all.
    let isNegated: Bool
    private let matchesOnlyDirectories: Bool
    /// The names; `**` stands for any number of them.
    private let names: [ByteString]

    init(_ text: String) {
        var bytes = Array(text.utf8)[...]
        isNegated = bytes.first == UInt8(ascii: "!")
        if isNegated { bytes.removeFirst() }
        let slash = UInt8(ascii: "/")
        matchesOnlyDirectories = bytes.last == slash
        while bytes.last == slash { bytes.removeLast() }
        let parts = bytes.split(separator: slash).map { ByteString($0) }
        // A pattern without a slash matches names in any directory.
        names = bytes.contains(slash) ? parts : ["**"] + parts
    }

    /// Whether the path, relative to the tree, matches.
    func matches(_ path: ByteString, isDirectory: Bool) -> Bool {
        guard isDirectory || !matchesOnlyDirectories else { return false }
        let parts = path.bytes.split(separator: UInt8(ascii: "/")).map { ByteString($0) }
        return Self.matches(names[...], parts[...])
    }

    private static func matches(_ patterns: ArraySlice<ByteString>, _ names: ArraySlice<ByteString>) -> Bool {
        guard let pattern = patterns.first else { return names.isEmpty }
        if pattern == "**" {
            if patterns.count == 1 { return !names.isEmpty }
            return (0...names.count).contains { matches(patterns.dropFirst(), names.dropFirst($0)) }
        }
        guard let name = names.first, matches(pattern, name) else { return false }
        return matches(patterns.dropFirst(), names.dropFirst())
    }

    private static func matches(_ pattern: ByteString, _ name: ByteString) -> Bool {
        unsafe pattern.withCString { pattern in unsafe name.withCString { unsafe fnmatch(pattern, $0, 0) } } == 0
    }
}

/// The files that no snapshot of a scope contains, whatever the ignore rules of the tree are: those that the user
/// excludes, and vt's own files.
struct Exclusions: Sendable {
    private let patterns: [IgnorePattern]
    /// The directory with vt's own files, relative to the tree, if it is in the tree.
    let ownDirectory: ByteString?

    init(_ scope: SnapshotScope, ownDirectory: ByteString?) {
        patterns = scope.excludes.map { IgnorePattern($0) }
        self.ownDirectory = ownDirectory
    }

    /// Whether a file or directory, or a directory that contains it, is excluded.
    func contain(_ path: ByteString, isDirectory: Bool) -> Bool {
        if let ownDirectory, path.isBelowOrEqual(ownDirectory) { return true }
        guard !patterns.isEmpty else { return false }
        return matches(path, isDirectory: isDirectory)
            || path.parentDirectories.contains { matches($0, isDirectory: true) }
    }

    private func matches(_ path: ByteString, isDirectory: Bool) -> Bool {
        patterns.last { $0.matches(path, isDirectory: isDirectory) }?.isNegated == false
    }
}
