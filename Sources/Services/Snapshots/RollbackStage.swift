import Core
import Glibc
import Synchronization
import System

/// The new files of a rollback, in a directory of the tree, before they replace any file.
///
/// A disk that is full is thus noticed before anything is changed.
final class RollbackStage: Sendable {
    private let root: ByteString
    /// The directory of the new files.
    private let path: ByteString
    private let entries: [TreeEntry]
    private let modes: [ByteString: UInt16]
    private let current = Mutex(Current())

    private struct Current {
        /// The descriptor of the regular file that is being written.
        var number: CInt?
        /// The target of a symbolic link, as far as it has been received.
        var target: [UInt8] = []
    }

    /// `modes` are those of the regular files; a file's place in `entries` is its name in the stage.
    init(root: ByteString, id: String, entries: [TreeEntry], modes: [ByteString: UInt16]) {
        self.root = root
        path = root.appending(ByteString(TreeCapture.stagePrefix + id))
        self.entries = entries
        self.modes = modes
    }

    deinit {
        if let number = current.withLock({ $0.number }) { close(number) }
    }

    /// Creates the new files.
    func fill(from git: Git) async throws(VTError) {
        guard !entries.isEmpty else { return }
        try TreeFile.makeDirectory(path, mode: 0o700)
        var input: [UInt8] = []
        for entry in entries { input += entry.objectID.bytes + [UInt8(ascii: "\n")] }
        let reader = BlobReader { index, bytes, isLast throws(VTError) in
            try self.write(bytes, of: index, isLast)
        }
        try await git.run(["cat-file", "--batch", "--buffer"], input: input, to: reader)
        guard reader.count == entries.count else { throw Git.unexpectedOutput("cat-file") }
    }

    /// Puts a new file in its place, where it replaces a file or a link.
    func place(_ index: Int) throws(VTError) {
        try TreeFile.rename(file(index), to: root.appending(entries[index].path))
    }

    /// Removes the directory, which a killed process may have left.
    static func removeAll(in root: ByteString) throws(VTError) {
        for entry in try DirectoryListing.entries(in: root)
        where entry.kind == .directory && entry.name.bytes.starts(with: Array(TreeCapture.stagePrefix.utf8)) {
            let stage = root.appending(entry.name)
            for file in try DirectoryListing.entries(in: stage) { try TreeFile.remove(stage.appending(file.name)) }
            _ = try TreeFile.removeEmptyDirectory(stage)
        }
    }

    // MARK: -

    private func file(_ index: Int) -> ByteString { path.appending(ByteString("\(index)")) }

    private func write(_ bytes: ArraySlice<UInt8>, of index: Int, _ isLast: Bool) throws(VTError) {
        try current.withLock { current throws(VTError) in
            let entry = entries[index]
            guard entry.isRegular else {
                current.target += bytes
                guard isLast else { return }
                defer { current.target = [] }
                return try TreeFile.makeLink(file(index), to: ByteString(current.target))
            }
            let number: CInt
            if let open = current.number {
                number = open
            } else {
                number = try TreeFile.create(file(index), mode: mode_t(modes[entry.path] ?? 0o644)).release()
                current.number = number
                Fault.point(.rollbackStaging)
            }
            let failure = BlockingIO.write(number, Array(bytes))
            guard failure == 0 else { throw .system(failure, "cannot write '\(entry.path.repairedText)'") }
            if isLast {
                close(number)
                current.number = nil
            }
        }
    }
}
