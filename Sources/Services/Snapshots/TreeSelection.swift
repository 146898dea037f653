import Core
import Glibc
import System

/// The files of a tree that a snapshot must read, and those that it must not contain any more.
struct TreeSelection: Sendable {
    private(set) var present: [ByteString: FileVersion] = [:]
    private(set) var gone: [ByteString] = []
    private(set) var omitted: [OmittedFile] = []
    /// The size of the regular files to read.
    private(set) var sizeBytes: UInt64 = 0

    var isEmpty: Bool { present.isEmpty && gone.isEmpty }

    /// Examines the files of an index that have changed, and new ones.
    ///
    /// - Throws: `data.invalid` for a file that exceeds the limit, if `isStrict`.
    init(
        changed: [ByteString],
        new: Set<ByteString>,
        root: ByteString,
        limits: SnapshotLimits,
        isStrict: Bool
    ) throws(VTError) {
        var directories = RealDirectories(root: root)
        for path in changed + new {
            let file = root.appending(path)
            let status = try directories.contain(path) ? try TreeFile.status(file) : nil
            let kind = status.map { FileAttributes.Kind(mode: $0.st_mode) }
            var reason: OmittedFile.Reason?
            if Self.isReserved(path) {
                reason = .name
            } else if kind == .file, let status, UInt64(clamping: status.st_size) > limits.fileBytes {
                guard !isStrict else { throw Self.tooLarge(path, limits) }
                reason = .tooLarge
            } else if kind == .file, !TreeFile.isReadable(file) {
                reason = .unreadable
            }
            if let reason { omitted.append(OmittedFile(path, reason)) }
            if let status, reason == nil, kind == .file || kind == .link {
                present[path] = FileVersion(status)
                if kind == .file { sizeBytes += UInt64(clamping: status.st_size) }
            } else if !new.contains(path) {
                gone.append(path)
            }
        }
    }

    /// Adds files that the index has, but must not have any more.
    mutating func remove(_ paths: Set<ByteString>) {
        for path in paths { present[path] = nil }
        gone += paths
    }

    /// Whether a part of the path is `.git` in upper or lower case, which no tree of git can contain.
    private static func isReserved(_ path: ByteString) -> Bool {
        path.bytes.split(separator: UInt8(ascii: "/")).contains { name in
            name.count == 4 && name.map { $0 | 0x20 } == Array(".git".utf8)
        }
    }

    private static func tooLarge(_ path: ByteString, _ limits: SnapshotLimits) -> VTError {
        VTError(
            .dataInvalid,
            "'\(path.repairedText)' is larger than \(limits.fileBytes) bytes",
            hint: "raise the limit with --max-file, or leave out the file with --exclude"
        )
    }
}

/// The directories of a tree that are not symbolic links.
private struct RealDirectories {
    let root: ByteString
    var known: [ByteString: Bool] = [:]

    /// Whether the path leads to a file that can be examined, without following symbolic links.
    mutating func contain(_ path: ByteString) throws(VTError) -> Bool {
        guard let parent = path.parentDirectories.first else { return true }
        if let isReal = known[parent] { return isReal }
        let directory = root.appending(parent)
        let status = try contain(parent) ? try TreeFile.status(directory) : nil
        let isDirectory = status.map { FileAttributes.Kind(mode: $0.st_mode) } == .directory
        let isReal = isDirectory && TreeFile.isSearchable(directory)
        known[parent] = isReal
        return isReal
    }
}
