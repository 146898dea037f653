import Core
import Glibc
import Runtime
import System

/// Compares the files and directories of an index with the tree.
///
/// git does the same in several processes, each of which reads the index, and does not tell the modes of the files,
/// which snapshots contain.
struct TreeScan: Sendable {
    let root: TreeDirectory
    let index: IndexFile

    /// A name in the tree that the index does not have.
    typealias Unknown = (path: ByteString, kind: FileAttributes.Kind)

    struct Result: Sendable {
        /// The files that are as in the index.
        var unchanged: [(entry: Int, mode: mode_t, size: off_t)] = []
        /// The files of the index that are not as in it, or do not exist.
        var changed: [ByteString] = []
        /// Those of them that git would not read again.
        var hidden: [ByteString] = []
        var unknown: [Unknown] = []
        /// The modes of the directories.
        var directories: [ByteString: UInt16] = [:]
        /// The directories that have unchanged files.
        var occupied: Set<ByteString> = []
        var omitted: [OmittedFile] = []
    }

    /// Removes files from a result.
    func remove(_ paths: Set<ByteString>, from result: inout Result) {
        result.unchanged.removeAll { paths.contains(index.path($0.entry)) }
        result.changed.removeAll { paths.contains($0) }
        result.occupied = Set(result.unchanged.map { Self.parent(of: index.path($0.entry)) })
    }

    /// A directory that contains files of the index, maybe in other directories.
    private struct Directory: Sendable {
        var path: ByteString
        /// The entries of its files.
        var files: [Range<Int>] = []
        var fileCount = 0
        var directories: [ByteString] = []

        mutating func add(_ entry: Int) {
            fileCount += 1
            if let last = files.last, last.upperBound == entry {
                files[files.count - 1] = last.lowerBound..<entry + 1
            } else {
                files.append(entry..<entry + 1)
            }
        }
    }

    /// The number of files for which a thread is worth starting.
    private static let filesPerThread = 5_000

    func run() async throws(VTError) -> Result {
        var result = Result()
        let present = try real(directories(), &result)
        let parts = await Self.split(present).concurrentCompactMap { part in
            await Swift.Result { () async throws(VTError) in
                try await onOwnThread { () throws(VTError) in try examine(part) }
            }
        }
        for part in parts {
            let part = try part.get()
            result.unchanged += part.unchanged
            result.changed += part.changed
            result.hidden += part.hidden
            result.unknown += part.unknown
            result.occupied.formUnion(part.occupied)
            result.omitted += part.omitted
        }
        return result
    }

    // MARK: - Directories

    /// The directories of the index; those that contain others first.
    private func directories() -> [Directory] {
        var directories = [Directory(path: "")]
        var numbers: [ByteString: Int] = ["": 0]
        var current: (path: ArraySlice<UInt8>, number: Int) = ([], 0)
        for entry in index.indices {
            let path = index.pathBytes(entry)
            let parent = path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)]
            if parent.count != current.path.count || !parent.elementsEqual(current.path) {
                current = (parent, Self.number(of: ByteString(parent), &directories, &numbers))
            }
            directories[current.number].add(entry)
        }
        return directories
    }

    private static func number(
        of path: ByteString,
        _ directories: inout [Directory],
        _ numbers: inout [ByteString: Int]
    ) -> Int {
        if let number = numbers[path] { return number }
        let parent = number(of: parent(of: path), &directories, &numbers)
        directories[parent].directories.append(path)
        let number = directories.count
        directories.append(Directory(path: path))
        numbers[path] = number
        return number
    }

    /// The directories that exist, without symbolic links, and contain only such directories; the files in the others
    /// have changed.
    private func real(_ directories: [Directory], _ result: inout Result) throws(VTError) -> [Directory] {
        var present: [Directory] = []
        var searchable: Set<ByteString> = []
        for directory in directories {
            let isReachable = directory.path.bytes.isEmpty || searchable.contains(Self.parent(of: directory.path))
            if isReachable, let opened = try root.directory(directory.path) {
                result.directories[directory.path] = UInt16(try opened.status().st_mode & 0o7777)
                if opened.isSearchable {
                    searchable.insert(directory.path)
                    present.append(directory)
                    continue
                }
                result.omitted.append(OmittedFile(directory.path, .unreadable))
            }
            result.changed += directory.files.joined().map(index.path)
        }
        let known = result.directories
        for number in present.indices { present[number].directories.removeAll { known[$0] == nil } }
        return present
    }

    private static func parent(of path: ByteString) -> ByteString { path.parentDirectories.first ?? "" }

    /// Splits directories into parts with about the same number of files.
    private static func split(_ directories: [Directory]) -> [[Directory]] {
        let total = directories.reduce(0) { $0 + $1.fileCount }
        let perPart = max(filesPerThread, total / processorCount + 1)
        var parts: [[Directory]] = []
        var room = 0
        for directory in directories {
            if room <= 0 {
                parts.append([])
                room = perPart
            }
            parts[parts.count - 1].append(directory)
            room -= directory.fileCount + 1
        }
        return parts
    }

    // MARK: - Files

    private func examine(_ directories: [Directory]) throws(VTError) -> Result {
        var result = Result()
        result.unchanged.reserveCapacity(directories.reduce(0) { $0 + $1.fileCount })
        for directory in directories {
            var count = directory.directories.count
            let unchanged = result.unchanged.count
            let nameStart = directory.path.bytes.isEmpty ? 0 : directory.path.bytes.count + 1
            let opened = try root.directory(directory.path)
            for range in directory.files {
                try index.examine(range, in: opened, nameStart: nameStart) { entry, status in
                    if status != nil { count += 1 }
                    add(entry, status, to: &result)
                }
            }
            if result.unchanged.count > unchanged { result.occupied.insert(directory.path) }
            if let opened { findUnknown(in: directory, opened, known: count, &result) }
        }
        return result
    }

    private func add(_ entry: Int, _ status: stat?, to result: inout Result) {
        let kind = status.map { FileAttributes.Kind(mode: $0.st_mode) }
        if let status, index.isCurrent(entry, status) {
            result.unchanged.append((entry, status.st_mode, status.st_size))
            return
        }
        let path = index.path(entry)
        result.changed.append(path)
        if let status, index.isHiddenFromGit(entry, status) { result.hidden.append(path) }
        if let kind, kind == .directory || kind == .other { result.unknown.append((path, kind)) }
    }

    /// Adds the names that the index does not have; `known` is the number of others.
    private func findUnknown(
        in directory: Directory,
        _ opened: TreeDirectory,
        known: Int,
        _ result: inout Result
    ) {
        let entries: [(name: ByteString, kind: FileAttributes.Kind)]
        do throws(VTError) {
            guard try opened.count(except: ".git") != known else { return }
            entries = try opened.entries()
        } catch {
            result.omitted.append(OmittedFile(directory.path, .unreadable))
            return
        }
        let names = Set(
            directory.files.joined().map { index.path($0).lastName } + directory.directories.map(\.lastName)
        )
        for (name, kind) in entries where name != ".git" && !names.contains(name) {
            result.unknown.append((directory.path.appending(name), kind))
        }
    }
}
