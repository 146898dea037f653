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

    /// Copies a regular file; on failure, the destination is unchanged, unless it is written in place.
    ///
    /// - Throws: `not-found`, `io`, `cannot-create`; connection errors; `cancelled`.
    func copy(_ item: CopyItem) async throws(VTError) {
        let present = item.isNew ? nil : try await replacedFile(at: item.destination)
        if let present, try await isComplete(item, present) {
            observer.transferred(bytes: item.attributes.sizeBytes ?? 0)
            observer.skipped(item)
            return
        }
        let limit = fileLimit
        do throws(VTError) {
            try await copy(item, replacing: present)
        } catch {
            // A server that bears fewer open files than there were can have confused them.
            guard fileLimit < limit, !error.concernsAllFiles else { throw error }
            try await copy(item, replacing: present)
        }
        observer.copied(item)
    }

    /// The number of files that can safely be copied at the same time.
    var fileLimit: Int { min(source.fileLimit, destination.fileLimit) }

    private func copy(_ item: CopyItem, replacing present: FileAttributes?) async throws(VTError) {
        let input = try await source.open(item.source)
        var isOpen = true
        do throws(VTError) {
            try await copy(item, from: input, replacing: present) {
                isOpen = false
                await close(input)
            }
        } catch {
            if isOpen { await close(input) }
            throw error
        }
        if isOpen { await close(input) }
    }

    /// Copies a file that is open; `end` closes it early.
    private func copy(
        _ item: CopyItem,
        from input: any RandomAccessFile,
        replacing present: FileAttributes?,
        end: () async -> Void
    ) async throws(VTError) {
        let resumable = resumablePath(for: item)
        // Until the copy is complete, nobody may read it who may not read the result.
        let kept = options.preservesAttributes ? nil : present?.copiedMode
        let target = Target(
            path: item.destination,
            temporary: resumable ?? item.destination.temporaryPath(ending: identifier),
            mode: kept ?? item.attributes.copiedMode ?? 0o666,
            present: present,
            original: item,
            isKept: resumable != nil
        )
        try await write(target) { () async throws(VTError) in
            guard resumable != nil else {
                return (try await destination.create(target.temporary, mode: target.mode), 0)
            }
            return try await openIncomplete(target.temporary, for: item, from: input, mode: target.mode)
        } contents: { output, start throws(VTError) in
            let name = item.source.repairedText
            let copy = ChunkCopy(name: name, input: input, output: output, window: window, observer: observer)
            let length = try await copy.copy(from: start, sizeBytes: item.attributes.sizeBytes ?? 0)
            guard options.preservesAttributes else { return (length, FileAttributeChanges(mode: kept)) }
            return (length, FileAttributeChanges(mode: item.attributes.copiedMode, times: item.attributes.times))
        } verify: { path throws(VTError) in
            guard options.comparesContents else { return }
            await end()
            guard try await hasSameContents(path, as: item.source) else {
                let path = item.destination.repairedText
                throw VTError(.io, "'\(path)' differs from its source, which may have changed during the copy")
            }
        }
    }

    /// Writes a stream to a file, which appears when the stream has ended.
    ///
    /// - Throws: `cannot-create`, `io`; errors of the stream; connection errors; `cancelled`.
    func copy(_ input: any ByteSource, to path: ByteString, isNew: Bool) async throws(VTError) {
        let present = isNew ? nil : try await replacedFile(at: path)
        let target = Target(
            path: path,
            temporary: path.temporaryPath(ending: identifier),
            mode: present?.copiedMode ?? 0o666,
            present: present,
            original: nil,
            isKept: false
        )
        try await write(target) { () async throws(VTError) in
            (try await destination.create(target.temporary, mode: target.mode), 0)
        } contents: { output, _ throws(VTError) in
            let length = try await StreamCopy(input: input, output: output, observer: observer).copy()
            return (length, FileAttributeChanges(mode: present?.copiedMode))
        } verify: { _ in
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
        guard let present = try await destination.permittedAttributes(of: path, followsLinks: false) else { return nil }
        switch present.kind {
        case .file: return present
        // The link is replaced, not the file that it refers to, which can be outside the destination.
        case .link: return nil
        case .directory: throw VTError(.cannotCreate, "'\(path.repairedText)' is a directory")
        case .other where present.isOfUnknownKind: return nil
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
        if !hasSameTime || present.mode != item.attributes.copiedMode { try await preserveAttributes(of: item) }
        return true
    }

    /// Gives a file whose contents are complete the attributes of its source, if they are to be preserved.
    func preserveAttributes(of item: CopyItem) async throws(VTError) {
        guard options.preservesAttributes else { return }
        let changes = FileAttributeChanges(mode: item.attributes.copiedMode, times: item.attributes.times)
        do throws(VTError) {
            try await destination.change(item.destination, to: changes)
        } catch {
            observer.note(try error.unlessFatal.message)
        }
    }

    /// Compares a file of the destination with one of the source.
    func hasSameContents(_ path: ByteString, as original: ByteString) async throws(VTError) -> Bool {
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
        guard let present = try await destination.permittedAttributes(of: path, followsLinks: false) else {
            return (try await destination.create(path, mode: mode), 0)
        }
        let start = ChunkCopy.resumePoint(forLength: present.sizeBytes ?? 0)
        let size = item.attributes.sizeBytes ?? 0
        let isUsable = present.kind == .file && start > 0 && present.sizeBytes ?? .max <= size
        // The source can have been replaced between being listed and being opened.
        guard isUsable, try await isSameVersion(input.attributes(), item.attributes) else {
            try await destination.remove(path)
            return (try await destination.create(path, mode: mode), 0)
        }
        return (try await destination.openForWriting(path, truncates: false), start)
    }

    private func isSameVersion(_ first: FileAttributes, _ second: FileAttributes) -> Bool {
        first.sizeBytes == second.sizeBytes && first.times?.modified == second.times?.modified
            && first.version == second.version
    }
}
