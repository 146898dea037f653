import Core
import Glibc
import Synchronization
import System

/// A directory of the tree with the new files of a rollback, before they replace any file, and with the old ones, before
/// they are removed.
///
/// A disk that is full is thus noticed before anything is changed, and a file that has changed at the last moment can be
/// put back.
final class RollbackStage: Sendable {
    private let root: TreeDirectory
    private let directory: TreeDirectory
    private let id: String
    private let entries: [TreeEntry]
    private let modes: [ByteString: UInt16]
    private let current = Mutex(Current())

    private struct Current {
        /// The descriptor of the regular file that is being written.
        var number: CInt?
        /// The target of a symbolic link, as far as it has been received.
        var target: [UInt8] = []
    }

    private static let prefix = ".vt-rollback-"
    /// The file that marks the directory, and contains the ID.
    private static let mark: ByteString = ".vt-rollback"
    /// The name of a file that has been taken away.
    private static let old: ByteString = "old"

    /// Creates the directory, whose name contains the ID, that of a snapshot.
    ///
    /// `modes` are those of the regular files; a file's place in `entries` is its name in the stage.
    init(in root: TreeDirectory, id: String, entries: [TreeEntry], modes: [ByteString: UInt16]) throws(VTError) {
        (self.root, self.id, self.entries, self.modes) = (root, id, entries, modes)
        let name = ByteString(Self.prefix + id)
        guard try root.status(name) == nil else { throw Self.occupied(name) }
        try root.makeDirectory(name)
        guard let directory = try root.directory(name, staysOnMount: true),
            try directory.status().st_uid == geteuid()
        else { throw Self.occupied(name) }
        self.directory = directory
        let mark = try directory.create(Self.mark)
        let failure = BlockingIO.write(mark.number, Array("\(id)\n".utf8))
        guard failure == 0 else { throw .system(failure, "cannot write '\(name.repairedText)'") }
    }

    deinit {
        if let number = current.withLock({ $0.number }) { close(number) }
    }

    private static func occupied(_ name: ByteString) -> VTError {
        VTError(.exists, "'\(name.repairedText)' already exists")
    }

    // MARK: - New files

    /// Creates the new files, whose contents have this size.
    func fill(from git: Git, sizeBytes: UInt64) async throws(VTError) {
        guard !entries.isEmpty else { return }
        var input: [UInt8] = []
        for entry in entries { input += entry.objectID.bytes + [UInt8(ascii: "\n")] }
        let reader = BlobReader { index, bytes, isLast throws(VTError) in
            try self.write(bytes, of: index, isLast)
        }
        let words: [ByteString] = ["cat-file", "--batch", "--buffer"]
        try await git.run(words, input: input, contentBytes: sizeBytes, to: reader)
        guard reader.count == entries.count else { throw Git.unexpectedOutput("cat-file") }
    }

    private func write(_ bytes: ArraySlice<UInt8>, of index: Int, _ isLast: Bool) throws(VTError) {
        try current.withLock { current throws(VTError) in
            let entry = entries[index]
            guard entry.isRegular else {
                current.target += bytes
                guard isLast else { return }
                defer { current.target = [] }
                return try directory.makeLink(Self.name(index), to: ByteString(current.target))
            }
            let number: CInt
            if let open = current.number {
                number = open
            } else {
                number = try directory.create(Self.name(index)).release()
                current.number = number
                Fault.point(.rollbackStaging)
            }
            var failure = BlockingIO.write(number, Array(bytes))
            if isLast {
                // Writing clears set-user-ID and set-group-ID (write(2)).
                if failure == 0, fchmod(number, mode_t(modes[entry.path] ?? 0o644)) != 0 { failure = errno }
                close(number)
                current.number = nil
            }
            guard failure == 0 else { throw .system(failure, "cannot write '\(entry.path.repairedText)'") }
        }
    }

    private static func name(_ index: Int) -> ByteString { ByteString("\(index)") }

    // MARK: - Changes

    /// Puts a new file in its place, where it replaces a file of the given version, or none.
    ///
    /// Returns false if there is another file, which then stays.
    func place(
        _ index: Int,
        in other: TreeDirectory,
        replacing version: FileVersion?
    ) throws(VTError) -> Bool {
        let (name, target) = (Self.name(index), entries[index].path.lastName)
        guard let version else { return try directory.move(name, to: other, as: target) }
        guard try directory.exchange(name, with: other, target) else {
            try directory.replace(name, to: other, as: target)
            return true
        }
        if try isMoved(name, version) {
            try directory.remove(name)
            return true
        }
        _ = try directory.exchange(name, with: other, target)
        return false
    }

    /// Removes a file of the given version from a directory; returns false if there is another one, which then stays.
    func takeAway(_ name: ByteString, from other: TreeDirectory, _ version: FileVersion) throws(VTError) -> Bool {
        guard try other.move(name, to: directory, as: Self.old) else { throw Self.occupied(Self.old) }
        if try isMoved(Self.old, version) {
            try directory.remove(Self.old)
            return true
        }
        _ = try directory.move(Self.old, to: other, as: name)
        return false
    }

    /// Whether a file in the stage is of a version; moving it changes only when its inode has changed last.
    private func isMoved(_ name: ByteString, _ version: FileVersion) throws(VTError) -> Bool {
        try directory.status(name).map { version.equalsIgnoringLinks(FileVersion($0)) } ?? false
    }

    // MARK: - Removal

    /// Removes the directory with its contents.
    func remove() throws(VTError) {
        try Self.remove(id, in: root)
    }

    /// Removes the directory of a rollback with its contents, which a killed process may have left.
    static func remove(_ id: String, in root: TreeDirectory) throws(VTError) {
        let name = ByteString(prefix + id)
        guard let directory = try root.directory(name, staysOnMount: true) else { return }
        if isStage(name, in: root) {
            for (name, _) in try directory.entries() where name != mark { try directory.remove(name) }
            try directory.remove(mark)
        }
        _ = try root.removeEmptyDirectory(name)
    }

    /// Whether a directory belongs to a rollback, of this tree or of one in it.
    static func isStage(_ name: ByteString, in directory: TreeDirectory) -> Bool {
        guard name.bytes.starts(with: Array(prefix.utf8)) else { return false }
        let id = name.bytes.dropFirst(prefix.utf8.count) + [UInt8(ascii: "\n")]
        let contents = (try? directory.directory(name))?.contents(mark, limit: id.count + 1)
        return contents.map { $0.elementsEqual(id) } ?? false
    }
}
