import Core
import Runtime
import Synchronization

/// An open file on a server whose contents are read and written through several sessions.
///
/// It is opened in the other sessions before much is read or written, and again when there are new ones.
final class StripedFile: RandomAccessFile {
    private struct Part {
        let file: SFTPFile
        /// The number of reads and writes in progress.
        var pending = 0
    }

    private struct State {
        /// The files to use for further reads and writes.
        var parts: [Part]
        /// The files in sessions that are no longer to be used.
        var retired: [SFTPFile] = []
        /// Whether `parts` are in sessions of further connections.
        var areAdditional = false
        /// The number of sessions in which the file has been opened, or could not be.
        var sessions = 0
        var isLarge = false
        var opening: Task<Void, Never>?
    }

    private let first: SFTPFile
    private let system: ParallelFileSystem
    private let isWritable: Bool
    private let state: Mutex<State>

    /// The number of bytes from which the file is opened in other sessions, which takes two round trips.
    private static let minimumBytes: UInt64 = 16 << 20

    init(_ file: SFTPFile, of system: ParallelFileSystem, isWritable: Bool) {
        first = file
        self.system = system
        self.isWritable = isWritable
        state = Mutex(State(parts: [Part(file: file)]))
    }

    func prepare(forBytes count: UInt64) async {
        guard count >= Self.minimumBytes else { return }
        if isWritable { await system.waitForSessions() }
        let opening = state.withLock { state in
            state.isLarge = true
            openFurther(&state)
            return state.opening
        }
        await opening?.value
    }

    func read(at offset: UInt64, limit: Int) async throws(VTError) -> [UInt8] {
        let part = leastBusyFile()
        defer { release(part) }
        return try await part.read(at: offset, limit: limit)
    }

    func write(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) {
        let part = leastBusyFile()
        defer { release(part) }
        try await part.write(bytes, at: offset)
    }

    func data(from offset: UInt64) async throws(VTError) -> Range<UInt64>? {
        try await first.data(from: offset)
    }

    func attributes() async throws(VTError) -> FileAttributes {
        try await first.attributes()
    }

    func close(after changes: FileAttributeChanges, needsAttributes: Bool) async throws(VTError) -> ClosedFile {
        await state.withLock { $0.opening }?.value
        let files = state.withLock { state in state.parts.map(\.file) + state.retired }
        let failures = await files.filter { $0.client !== first.client }.concurrentCompactMap { file in
            do throws(VTError) {
                try await file.close()
                return nil as VTError?
            } catch {
                return error
            }
        }
        // Last, so that nothing changes the times afterward.
        let closed = try await first.close(after: changes, needsAttributes: needsAttributes)
        if let failure = failures.first { throw failure }
        return closed
    }

    // MARK: - Parts

    /// Returns the file with the fewest reads and writes in progress.
    private func leastBusyFile() -> SFTPFile {
        state.withLock { state in
            if state.isLarge, state.opening == nil { openFurther(&state) }
            let index = state.parts.indices.min { state.parts[$0].pending < state.parts[$1].pending } ?? 0
            state.parts[index].pending += 1
            return state.parts[index].file
        }
    }

    private func release(_ file: SFTPFile) {
        state.withLock { state in
            guard let index = state.parts.firstIndex(where: { $0.file.client === file.client }) else { return }
            state.parts[index].pending -= 1
        }
    }

    /// Starts to open the file in the sessions that have been added since the last call.
    private func openFurther(_ state: inout State) {
        let sessions = system.sessions
        let tried = sessions.areAdditional == state.areAdditional ? state.sessions : 0
        let others = sessions.files.dropFirst(tried).filter { $0.client !== first.client }
        state.sessions = sessions.files.count
        guard !others.isEmpty else { return }
        let replaces = sessions.areAdditional && !state.areAdditional
        state.areAdditional = sessions.areAdditional
        state.opening = Task.onCurrentExecutor { await self.open(in: others, replacingParts: replaces) }
    }

    /// Opens the file in other sessions; those where that fails, or finds another file, are not used.
    private func open(in sessions: [SFTPFileSystem], replacingParts: Bool) async {
        let files = isWritable ? await openForWriting(in: sessions) : await openUnchanged(in: sessions)
        state.withLock { state in
            state.opening = nil
            guard !files.isEmpty else { return }
            if replacingParts {
                state.retired += state.parts.map(\.file)
                state.parts = []
            }
            state.parts += files.map { Part(file: $0) }
        }
    }

    /// Opens the file for writing, unless its path could by now refer to a file that must not be written to.
    private func openForWriting(in sessions: [SFTPFileSystem]) async -> [SFTPFile] {
        guard await isInDirectoryOfItsOwner else { return [] }
        return await sessions.concurrentCompactMap { [path = first.path] files in
            try? await files.openFileForWriting(path)
        }
    }

    /// Whether only the user who owns the file can put another one in its place.
    private var isInDirectoryOfItsOwner: Bool {
        get async {
            async let file = try? first.attributes()
            let directory = try? await system.attributes(of: first.path.parentDirectory, followsLinks: true)
            guard let owner = await file?.owner?.userID, let mode = directory?.mode else { return false }
            return directory?.owner?.userID == owner && mode & 0o022 == 0
        }
    }

    /// Opens the file for reading in those sessions where its attributes are those of the first one.
    private func openUnchanged(in sessions: [SFTPFileSystem]) async -> [SFTPFile] {
        async let original = try? first.attributes()
        let files = await sessions.concurrentCompactMap { [path = first.path] files in try? await files.openFile(path) }
        let expected = await original?.withoutAccessTime
        return await files.concurrentCompactMap { file in
            if let expected, (try? await file.attributes())?.withoutAccessTime == expected { return file }
            try? await file.close()
            return nil
        }
    }
}

extension FileAttributes {
    fileprivate var withoutAccessTime: FileAttributes {
        var attributes = self
        attributes.times?.accessed = 0
        return attributes
    }
}
