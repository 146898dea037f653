import Core
import POSIX

/// Copies a file to a temporary name beside its destination, and renames it when it is complete.
struct FileTransfer: Sendable {
    let source: any FileSystem
    let destination: any FileSystem
    let options: CopyOptions
    let window: TransferWindow
    let observer: any CopyObserver
    let clock: any Clock<Duration>

    /// The timeout for removing the temporary file after a failure.
    private static let removalTimeout = Duration.seconds(5)

    /// Copies a regular file; on failure, the destination is unchanged.
    ///
    /// - Throws: `not-found`, `io`, `cannot-create`; connection errors; `cancelled`.
    func copy(_ item: CopyItem) async throws(VTError) {
        if options.resumes, try await isComplete(item) {
            observer.transferred(bytes: item.attributes.sizeBytes ?? 0)
            observer.skipped(item)
            return
        }
        let input = try await source.open(item.source)
        do throws(VTError) {
            try await copy(item, from: input)
        } catch {
            await close(input)
            throw error
        }
        await close(input)
        observer.copied(item)
    }

    private func copy(_ item: CopyItem, from input: any RandomAccessFile) async throws(VTError) {
        let temporary = TemporaryName.path(for: item, resumes: options.resumes)
        do throws(VTError) {
            let (output, start) = try await openOutput(temporary, for: item)
            var changes = FileAttributeChanges()
            do throws(VTError) {
                let stream = ChunkCopy(input: input, output: output, window: window, observer: observer)
                changes.sizeBytes = try await stream.copy(from: start, sizeBytes: item.attributes.sizeBytes ?? 0)
            } catch {
                await close(output)
                throw error
            }
            if options.preservesAttributes {
                changes.mode = item.attributes.mode
                changes.times = item.attributes.times
            }
            try await output.close(after: changes)
            try await destination.rename(temporary, to: item.destination)
        } catch {
            if !options.resumes { await remove(temporary) }
            throw error
        }
    }

    /// Whether the destination has the size and the modification time of the source.
    private func isComplete(_ item: CopyItem) async throws(VTError) -> Bool {
        guard let present = try await destination.attributes(of: item.destination, followsLinks: false),
            present.kind == .file, let size = present.sizeBytes, let times = present.times
        else { return false }
        return size == item.attributes.sizeBytes && times.modified == item.attributes.times?.modified
    }

    /// Opens the temporary file, and returns the offset from which it is to be written.
    private func openOutput(
        _ path: ByteString,
        for item: CopyItem
    ) async throws(VTError) -> (file: any RandomAccessFile, start: UInt64) {
        let mode = (item.attributes.mode ?? 0o666) & 0o777
        guard options.resumes, let present = try await destination.attributes(of: path, followsLinks: false) else {
            return (try await destination.create(path, mode: mode), 0)
        }
        let start = ChunkCopy.resumePoint(forLength: present.sizeBytes ?? 0)
        guard present.kind == .file, start > 0 else {
            try await destination.remove(path)
            return (try await destination.create(path, mode: mode), 0)
        }
        return (try await destination.openForWriting(path), start)
    }

    /// Closes a file that has not been changed, or whose failure has already been found.
    private func close(_ file: any RandomAccessFile) async {
        try? await file.close(after: FileAttributeChanges())
    }

    /// Removes the temporary file, even if the task has been canceled.
    private func remove(_ path: ByteString) async {
        let (destination, clock) = (destination, clock)
        let removal = Task {
            // The earlier failure is the one to report.
            try? await withTimeout(Self.removalTimeout, on: clock, throwing: .cancelled) { () async throws(VTError) in
                try await destination.remove(path)
            }
        }
        await removal.value
    }
}

/// The names of incomplete files.
enum TemporaryName {
    /// The part of a file's name that a temporary name contains; names are limited to 255 bytes.
    private static let nameBytes = 180

    /// Returns a path in the directory of the destination.
    ///
    /// If the copy can be resumed, the name identifies the version of the source, so that a file is never completed
    /// with the contents of another version.
    static func path(for item: CopyItem, resumes: Bool) -> ByteString {
        let name = ByteString(item.destination.lastName.bytes.prefix(nameBytes))
        let size = String(item.attributes.sizeBytes ?? 0, radix: 16)
        let time = String(item.attributes.times?.modified ?? 0, radix: 16)
        let ending = resumes ? "\(size)-\(time)" : RandomIdentifier.make()
        return item.destination.parentDirectory.appending("." + name + ByteString(".vt-\(ending)"))
    }
}
