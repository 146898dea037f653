import Core
import Runtime

/// Writing a file under a temporary name, or in place where that is not permitted.
extension FileTransfer {
    /// A file to write.
    struct Target {
        let path: ByteString
        /// The path of the file while it is incomplete.
        let temporary: ByteString
        /// The mode with which the file is created.
        let mode: UInt16
        /// The attributes of the file that is replaced; nil if there is none.
        let present: FileAttributes?
        /// What is copied; nil for a stream.
        let original: CopyItem?
        /// Whether an incomplete file is kept, to be completed later.
        let isKept: Bool
    }

    /// Writes the contents to a file, and returns its length and the changes to make afterward.
    typealias Contents = (any RandomAccessFile, UInt64) async throws(VTError) -> (
        length: UInt64, changes: FileAttributeChanges
    )

    /// The timeout for removing the temporary file after a failure.
    private static let removalTimeout = Duration.seconds(5)

    /// Fills a temporary file, and renames it; removes it on failure unless it is kept.
    ///
    /// If a temporary file, its owner or its new name is refused, the file is written in place.
    func write(
        _ target: Target,
        open: () async throws(VTError) -> (file: any RandomAccessFile, start: UInt64),
        contents: Contents,
        verify: (ByteString) async throws(VTError) -> Void
    ) async throws(VTError) {
        var isMoving = false
        do throws(VTError) {
            guard !options.writesInPlace else {
                return try await writeInPlace(target, because: nil, contents: contents, verify: verify)
            }
            let (output, start): (any RandomAccessFile, UInt64)
            do throws(VTError) {
                (output, start) = try await open()
            } catch {
                guard error.isRefusal, target.present != nil else {
                    throw await destination.explained(error, creating: target.path)
                }
                var refusal = error
                refusal.message = error.message.replacing(
                    "'\(target.temporary.repairedText)'",
                    with: "a temporary file beside '\(target.path.repairedText)'"
                )
                return try await writeInPlace(target, because: refusal, contents: contents, verify: verify)
            }
            let closed = try await fill(output, from: start, at: target.temporary, target, contents)
            try await verify(target.temporary)
            do throws(VTError) {
                try await keepOwner(of: target, closed.attributes?.owner)
                try await destination.rename(target.temporary, to: target.path)
            } catch {
                guard error.code == .cannotCreate else { throw error }
                isMoving = true
                try await moveInPlace(target, because: error, length: closed.attributes?.sizeBytes)
            }
        } catch {
            if !target.isKept, !isMoving { await remove(target.temporary) }
            throw error.naming(target.path, insteadOf: target.temporary)
        }
    }

    /// Writes the contents to an open file, and closes it.
    private func fill(
        _ output: any RandomAccessFile,
        from start: UInt64,
        at path: ByteString,
        _ target: Target,
        _ contents: Contents
    ) async throws(VTError) -> ClosedFile {
        let (length, changes): (UInt64, FileAttributeChanges)
        do throws(VTError) {
            (length, changes) = try await contents(output, start)
        } catch {
            await close(output)
            throw error
        }
        let closed = try await output.close(after: changes, needsAttributes: target.present?.owner != nil)
        // Read again, because a server may have examined the file before it was closed.
        if let early = closed.attributes?.sizeBytes, early != length,
            let size = try await destination.attributes(of: path, followsLinks: false)?.sizeBytes, size != length
        {
            let name = target.path.repairedText
            throw VTError(.io, "cannot write '\(name)': it has \(size) bytes instead of \(length)")
        }
        if let failure = closed.failedChange {
            observer.note(failure.naming(target.path, insteadOf: target.temporary).message)
        }
        return closed
    }

    /// Gives the temporary file the owner of the file that it replaces.
    private func keepOwner(of target: Target, _ owner: FileOwner?) async throws(VTError) {
        guard let wanted = target.present?.owner, let owner, owner != wanted else { return }
        do throws(VTError) {
            try await destination.change(target.temporary, to: FileAttributeChanges(owner: wanted))
        } catch {
            guard !error.concernsAllFiles else { throw error }
            let name = target.path.repairedText
            let what = "cannot give the new file the owner of '\(name)' (\(wanted.userID):\(wanted.groupID))"
            throw VTError(.cannotCreate, what, causes: [error.message])
        }
    }

    // MARK: - In place

    /// Writes a file in place; `reason` is why it cannot be replaced, if it should be.
    private func writeInPlace(
        _ target: Target,
        because reason: VTError?,
        contents: Contents,
        verify: (ByteString) async throws(VTError) -> Void
    ) async throws(VTError) {
        if let original = target.original, try await isCopy(target, of: original) {
            observer.transferred(bytes: original.attributes.sizeBytes ?? 0)
            return try await preserveAttributes(of: original)
        }
        let name = target.path.repairedText
        let output: any RandomAccessFile
        do throws(VTError) {
            output =
                target.present == nil
                ? try await destination.create(target.path, mode: target.mode)
                : try await destination.openForWriting(target.path, truncates: true)
        } catch {
            // Without an answer, the file may have been truncated.
            if error.concernsAllFiles, target.present != nil { observer.note("'\(name)' may be incomplete") }
            guard !error.concernsAllFiles, let reason else {
                throw await destination.explained(error, creating: target.path)
            }
            throw reason
        }
        if let reason {
            let why = reason.naming(target.path, insteadOf: target.temporary).message
            observer.note("\(why); '\(name)' is written in place, and is incomplete until the copy ends")
        }
        do throws(VTError) {
            _ = try await fill(output, from: 0, at: target.path, target) { output, start throws(VTError) in
                let result = try await contents(output, start)
                var changes = result.changes
                // The file has kept its mode.
                if !options.preservesAttributes { changes.mode = nil }
                return (result.length, changes)
            }
            try await verify(target.path)
        } catch {
            observer.note("'\(name)' is incomplete")
            throw error
        }
    }

    /// Whether a file already has the contents of what is to be copied to it.
    ///
    /// Both can be the same file, perhaps by different names or on different servers: truncating it would lose them.
    private func isCopy(_ target: Target, of original: CopyItem) async throws(VTError) -> Bool {
        // The source is already open once.
        guard let size = target.present?.sizeBytes, size == original.attributes.sizeBytes, source.fileLimit > 1 else {
            return false
        }
        do throws(VTError) {
            return try await hasSameContents(target.path, as: original.source)
        } catch {
            // A file that cannot be read may still be written.
            guard !error.concernsAllFiles, source.fileLimit > 1 else { throw error }
            return false
        }
    }

    /// Copies the temporary file to its destination, and removes it unless nothing else has its contents.
    private func moveInPlace(_ target: Target, because reason: VTError, length: UInt64?) async throws(VTError) {
        var hasStarted = false
        do throws(VTError) {
            // The temporary file and its destination are open at the same time.
            guard destination.fileLimit > 1 else { throw reason }
            let input = try await destination.open(target.temporary)
            try await withCleanup({ await close(input) }) { () async throws(VTError) in
                let length = if let length { length } else { try await input.attributes().sizeBytes ?? 0 }
                try await writeInPlace(target, because: reason) { output, start throws(VTError) in
                    hasStarted = true
                    let name = target.path.repairedText
                    let copy = ChunkCopy(name: name, input: input, output: output, window: window, observer: observer)
                    let copied = try await copy.copy(from: start, sizeBytes: length)
                    let times = options.preservesAttributes ? try await input.attributes().times : nil
                    let mode = options.preservesAttributes ? try await input.attributes().mode : nil
                    return (copied, FileAttributeChanges(mode: mode, times: times))
                } verify: { _ in
                }
            }
        } catch {
            if hasStarted {
                observer.note("the whole contents are in '\(target.temporary.repairedText)'")
            } else if !target.isKept {
                await remove(target.temporary)
            }
            throw error
        }
        await remove(target.temporary)
    }

    // MARK: - Cleanup

    /// Closes a file that has not been changed, or that has already failed.
    func close(_ file: any RandomAccessFile) async {
        // The earlier failure is the one to report.
        try? await file.close()
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

extension VTError {
    /// The error with the name of a file in place of its temporary name.
    fileprivate func naming(_ path: ByteString, insteadOf temporary: ByteString) -> VTError {
        var error = self
        error.message = message.replacing("'\(temporary.repairedText)'", with: "'\(path.repairedText)'")
        return error
    }
}
