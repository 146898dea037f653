import Core
import POSIX
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

    /// The number of bytes from which the file is opened in other sessions, which takes four round trips.
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
        let part = take()
        defer { release(part) }
        return try await part.read(at: offset, limit: limit)
    }

    func write(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) {
        let part = take()
        defer { release(part) }
        try await part.write(bytes, at: offset)
    }

    func data(from offset: UInt64) async throws(VTError) -> Range<UInt64>? {
        try await first.data(from: offset)
    }

    func attributes() async throws(VTError) -> FileAttributes {
        try await first.attributes()
    }

    func close(after changes: FileAttributeChanges) async throws(VTError) {
        await state.withLock { $0.opening }?.value
        let files = state.withLock { state in state.parts.map(\.file) + state.retired }
        let failures = await files.filter { $0.client !== first.client }.concurrentCompactMap { file in
            do throws(VTError) {
                try await file.close(after: FileAttributeChanges())
                return nil as VTError?
            } catch {
                return error
            }
        }
        // Last, so that nothing changes the times afterward.
        try await first.close(after: changes)
        if let failure = failures.first { throw failure }
    }

    // MARK: - Parts

    /// Returns the file with the fewest reads and writes in progress.
    private func take() -> SFTPFile {
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
        async let attributes = try? first.attributes()
        let files = await sessions.concurrentCompactMap { [first, isWritable] files in
            try? await isWritable ? files.openFileForWriting(first.path) : files.openFile(first.path)
        }
        let original = await attributes
        let same = await isWritable ? identicalFiles(files, original) : unchangedFiles(files, original)
        for file in files where !same.contains(where: { $0.client === file.client }) {
            try? await file.close(after: FileAttributeChanges())
        }
        state.withLock { state in
            state.opening = nil
            guard !same.isEmpty else { return }
            if replacingParts {
                state.retired += state.parts.map(\.file)
                state.parts = []
            }
            state.parts += same.map { Part(file: $0) }
        }
    }

    /// Returns the files whose attributes are those of the first one.
    private func unchangedFiles(_ files: [SFTPFile], _ original: FileAttributes?) async -> [SFTPFile] {
        guard let expected = original?.withoutAccessTime else { return [] }
        return await Self.filter(files) { $0.withoutAccessTime == expected }
    }

    /// Returns the files that are certainly the same as the first one, which has been created by this user.
    ///
    /// In a directory of another user, the path could by now refer to a file that must not be written to. A change of
    /// the owner's permission to execute, made through the first file, does not appear in such a file.
    private func identicalFiles(_ files: [SFTPFile], _ original: FileAttributes?) async -> [SFTPFile] {
        guard let original, let mode = original.mode, original.userID != nil else { return [] }
        let changed = mode ^ 0o100
        var same = await Self.filter(files) { $0.isOwned(like: original) && $0.mode == mode }
        guard !same.isEmpty, (try? await first.change(to: FileAttributeChanges(mode: changed))) != nil else {
            return []
        }
        same = await Self.filter(same) { $0.isOwned(like: original) && $0.mode == changed }
        guard (try? await first.change(to: FileAttributeChanges(mode: mode))) != nil else { return [] }
        return same
    }

    private static func filter(
        _ files: [SFTPFile],
        _ condition: @escaping @Sendable (FileAttributes) -> Bool
    ) async -> [SFTPFile] {
        await files.concurrentCompactMap { file in
            guard let attributes = try? await file.attributes(), condition(attributes) else { return nil }
            return file
        }
    }
}

extension Array where Element: Sendable {
    /// Calls a function for all elements at the same time, and returns its results, except nil, in any order.
    fileprivate func concurrentCompactMap<Value: Sendable>(
        _ transform: @escaping @Sendable (Element) async -> Value?
    ) async -> [Value] {
        await withTaskGroup(of: Value?.self) { group in
            for element in self { group.addTask { await transform(element) } }
            return await group.reduce(into: []) { values, value in
                if let value { values.append(value) }
            }
        }
    }
}

extension FileAttributes {
    fileprivate var withoutAccessTime: FileAttributes {
        var attributes = self
        attributes.times?.accessed = 0
        return attributes
    }

    fileprivate func isOwned(like other: FileAttributes) -> Bool {
        kind == other.kind && userID == other.userID
    }
}
