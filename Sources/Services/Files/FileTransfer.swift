import Core
import Runtime
import Storage

/// Copies a file to a temporary name beside its destination, and renames it when it is complete.
struct FileTransfer: Sendable {
    let source: any FileSystem
    let destination: any FileSystem
    let options: CopyOptions
    let window: TransferWindow
    let observer: any CopyObserver
    let clock: any Clock<Duration>
    /// The ending of temporary file names, unless the copy can be resumed.
    let identifier = RandomIdentifier.make()

    /// The timeout for removing the temporary file after a failure.
    private static let removalTimeout = Duration.seconds(5)

    /// Copies a regular file; on failure, the destination is unchanged.
    ///
    /// - Throws: `not-found`, `io`, `cannot-create`; connection errors; `cancelled`.
    func copy(_ item: CopyItem) async throws(VTError) {
        let present = item.isNew ? nil : try await replacedFile(at: item.destination)
        if let present, try await isComplete(item, present) {
            observer.transferred(bytes: item.attributes.sizeBytes ?? 0)
            observer.skipped(item)
            return
        }
        let input = try await source.open(item.source)
        do throws(VTError) {
            try await copy(item, from: input, replacing: present)
        } catch {
            await close(input)
            throw error
        }
        await close(input)
        observer.copied(item)
    }

    private func copy(
        _ item: CopyItem,
        from input: any RandomAccessFile,
        replacing present: FileAttributes?
    ) async throws(VTError) {
        let resumable = resumablePath(for: item)
        let temporary = resumable ?? item.destination.temporaryPath(ending: identifier)
        // Until the copy is complete, nobody may read it who may not read the result.
        let kept = options.preservesAttributes ? nil : present?.copiedMode
        let mode = kept ?? item.attributes.copiedMode ?? 0o666
        try await write(temporary, as: item.destination, isKept: resumable != nil) { () async throws(VTError) in
            guard resumable != nil else { return (try await destination.create(temporary, mode: mode), 0) }
            return try await openIncomplete(temporary, for: item, from: input, mode: mode)
        } contents: { output, start throws(VTError) in
            let name = item.source.repairedText
            let copy = ChunkCopy(name: name, input: input, output: output, window: window, observer: observer)
            let length = try await copy.copy(from: start, sizeBytes: item.attributes.sizeBytes ?? 0)
            guard options.preservesAttributes else { return FileAttributeChanges(sizeBytes: length, mode: kept) }
            return FileAttributeChanges(
                sizeBytes: length,
                mode: item.attributes.copiedMode,
                times: item.attributes.times
            )
        } verify: { () async throws(VTError) in
            guard options.comparesContents else { return }
            guard try await hasSameContents(temporary, as: item.source) else {
                let path = item.destination.repairedText
                throw VTError(.io, "'\(path)' differs from its source, which may have changed during the copy")
            }
        }
    }

    /// Writes a stream to a file, which appears when the stream has ended.
    ///
    /// - Throws: `cannot-create`, `io`; errors of the stream; connection errors; `cancelled`.
    func copy(_ input: any ByteSource, to path: ByteString, isNew: Bool) async throws(VTError) {
        let temporary = path.temporaryPath(ending: identifier)
        let mode = isNew ? nil : try await replacedFile(at: path)?.copiedMode
        try await write(temporary, as: path, isKept: false) { () async throws(VTError) in
            (try await destination.create(temporary, mode: mode ?? 0o666), 0)
        } contents: { output, _ throws(VTError) in
            try await StreamCopy(input: input, output: output, observer: observer).copy()
            return FileAttributeChanges(mode: mode)
        } verify: {
        }
    }

    /// Fills a temporary file, and renames it; removes it on failure unless it `isKept` to be completed later.
    private func write(
        _ temporary: ByteString,
        as path: ByteString,
        isKept: Bool,
        open: () async throws(VTError) -> (file: any RandomAccessFile, start: UInt64),
        contents: (any RandomAccessFile, UInt64) async throws(VTError) -> FileAttributeChanges,
        verify: () async throws(VTError) -> Void
    ) async throws(VTError) {
        do throws(VTError) {
            let (output, start): (any RandomAccessFile, UInt64)
            do throws(VTError) {
                (output, start) = try await open()
            } catch {
                throw await destination.explained(error, creating: path)
            }
            let changes: FileAttributeChanges
            do throws(VTError) {
                changes = try await contents(output, start)
            } catch {
                await close(output)
                throw error
            }
            try await output.close(after: changes)
            try await verify()
            try await destination.rename(temporary, to: path)
        } catch {
            if !isKept { await remove(temporary) }
            var error = error
            error.message = error.message.replacing("'\(temporary.repairedText)'", with: "'\(path.repairedText)'")
            throw error
        }
    }

    /// A file without a version that was modified less than this many seconds ago can change without a difference in
    /// its attributes.
    private static let unstableSeconds: Int64 = 2

    /// Returns the name of an incomplete file that a later copy can complete; nil if there must be none.
    ///
    /// The name identifies the version of the source, so that a file is never completed with the contents of another
    /// version.
    private func resumablePath(for item: CopyItem) -> ByteString? {
        guard options.resumes, let size = item.attributes.sizeBytes, let times = item.attributes.times else {
            return nil
        }
        var words = [size, UInt64(bitPattern: times.modified)]
        if let version = item.attributes.version {
            words.append(version)
        } else if times.modified > Timestamp.now().seconds - Self.unstableSeconds {
            return nil
        }
        let ending = words.map { String($0, radix: 16) }.joined(separator: "-")
        return item.destination.temporaryPath(ending: ending)
    }

    /// Returns the attributes of the file that a copy replaces; nil if there is none.
    ///
    /// - Throws: `cannot-create` for directories, devices and other files that must not be replaced.
    private func replacedFile(at path: ByteString) async throws(VTError) -> FileAttributes? {
        guard let present = try await destination.attributes(of: path, followsLinks: false) else { return nil }
        switch present.kind {
        case .file: return present
        // The link is replaced, not the file that it refers to, which can be outside the destination.
        case .link: return nil
        case .directory: throw VTError(.cannotCreate, "'\(path.repairedText)' is a directory")
        case .other: throw VTError(.cannotCreate, "'\(path.repairedText)' exists and is not a regular file")
        }
    }

    /// Whether the file in the destination has the size, and the contents or the modification time, of the source.
    private func isComplete(_ item: CopyItem, _ present: FileAttributes) async throws(VTError) -> Bool {
        guard options.skipsComplete, let size = present.sizeBytes,
            size == item.attributes.sizeBytes
        else { return false }
        let hasSameTime = item.attributes.times.map { present.times?.hasSameModification(as: $0) ?? false } ?? false
        guard options.comparesContents else { return hasSameTime }
        guard try await hasSameContents(item.destination, as: item.source) else { return false }
        if options.preservesAttributes, !hasSameTime || present.mode != item.attributes.copiedMode {
            let changes = FileAttributeChanges(mode: item.attributes.copiedMode, times: item.attributes.times)
            try await destination.change(item.destination, to: changes)
        }
        return true
    }

    /// Compares a file of the destination with one of the source.
    private func hasSameContents(_ path: ByteString, as original: ByteString) async throws(VTError) -> Bool {
        async let copy = Result { () async throws(VTError) in try await sha256(of: path, in: destination) }
        let expected = try await sha256(of: original, in: source)
        return try await copy.get() == expected
    }

    private func sha256(of path: ByteString, in system: any FileSystem) async throws(VTError) -> String {
        if let digest = try await system.sha256(of: path) { return digest }
        let sink = SHA256Sink()
        try await system.read(path, to: sink)
        return sink.finish().hexadecimal
    }

    /// Opens the incomplete file of an earlier copy, or creates it; returns the offset from which it is to be written.
    private func openIncomplete(
        _ path: ByteString,
        for item: CopyItem,
        from input: any RandomAccessFile,
        mode: UInt16
    ) async throws(VTError) -> (file: any RandomAccessFile, start: UInt64) {
        guard let present = try await destination.attributes(of: path, followsLinks: false) else {
            return (try await destination.create(path, mode: mode), 0)
        }
        let start = ChunkCopy.resumePoint(forLength: present.sizeBytes ?? 0)
        let isUsable = present.kind == .file && start > 0 && start <= item.attributes.sizeBytes ?? 0
        // The source can have been replaced between being listed and being opened.
        guard isUsable, try await isSameVersion(input.attributes(), item.attributes) else {
            try await destination.remove(path)
            return (try await destination.create(path, mode: mode), 0)
        }
        return (try await destination.openForWriting(path), start)
    }

    private func isSameVersion(_ first: FileAttributes, _ second: FileAttributes) -> Bool {
        first.sizeBytes == second.sizeBytes && first.times?.modified == second.times?.modified
            && first.version == second.version
    }

    /// Closes a file that has not been changed, or that has already failed.
    private func close(_ file: any RandomAccessFile) async {
        try? await file.close(after: FileAttributeChanges())
    }

    /// Removes the temporary file, even if the task has been canceled.
    private func remove(_ path: ByteString) async {
        let (destination, clock) = (destination, clock)
        let removal = Task.onCurrentExecutor {
            // The earlier failure is the one to report.
            try? await withTimeout(Self.removalTimeout, on: clock, throwing: .cancelled) { () async throws(VTError) in
                try await destination.remove(path)
            }
        }
        await removal.value
    }
}
