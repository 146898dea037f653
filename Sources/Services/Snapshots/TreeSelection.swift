import Core
import Glibc
import System

/// The files of a tree that a snapshot must read, and those that it must not contain any more.
struct TreeSelection: Sendable {
    /// With their attributes.
    private(set) var present: [ByteString: stat] = [:]
    private(set) var gone: [ByteString] = []
    private(set) var omitted: [OmittedFile] = []
    /// The size of the regular files to read.
    private(set) var sizeBytes: UInt64 = 0

    var isEmpty: Bool { present.isEmpty && gone.isEmpty }

    /// Examines the files of an index that have changed, and new ones.
    ///
    /// - Throws: `data.invalid` for a file that exceeds the limit, if `isStrict`, and for one that git would wait for.
    init(
        changed: [ByteString],
        new: Set<ByteString>,
        root: TreeDirectory,
        limits: SnapshotLimits,
        isStrict: Bool
    ) throws(VTError) {
        var directory: (path: ByteString, opened: TreeDirectory?)?
        for path in (changed + new).sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            let parent = path.parentDirectories.first ?? ""
            if directory?.path != parent {
                // The scan and the walk have reported a directory that cannot be entered.
                let opened = (try? root.directory(parent)).flatMap { $0.isSearchable ? $0 : nil }
                directory = (parent, opened)
                if let opened { try GitFile.check(in: opened, parent) }
            }
            let opened = directory?.opened
            let name = path.lastName
            let status = try opened?.status(name)
            let kind = status.map { FileAttributes.Kind(mode: $0.st_mode) }
            var reason: OmittedFile.Reason?
            if Self.isReserved(path) {
                reason = .name
            } else if kind == .file, let status, UInt64(clamping: status.st_size) > limits.fileBytes {
                guard !isStrict else { throw Self.tooLarge(path, limits) }
                reason = .tooLarge
            } else if kind == .file, opened?.isReadable(name) != true {
                reason = .unreadable
            }
            if let reason { omitted.append(OmittedFile(path, reason)) }
            if let status, reason == nil, kind == .file || kind == .link {
                present[path] = status
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

    /// Records what git has read: the attributes of the files, and those that it did not take.
    mutating func finish(_ statuses: [ByteString: stat], refused: [ByteString]) {
        present = statuses
        omitted += refused.map { OmittedFile($0, .name) }
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
