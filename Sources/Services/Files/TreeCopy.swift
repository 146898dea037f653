import Core
import Runtime

/// Copies files, and directories with their contents, from one file system to another.
///
/// Many files are copied, and several directories listed, at the same time. Memory use is bounded by the directories
/// that have been found but not listed, not by the number of files.
struct TreeCopy: Sendable {
    let transfer: FileTransfer
    /// Whether the source and the destination are on the same machine.
    let isOnOneMachine: Bool

    /// The maximum number of files in progress.
    private var fileLimit: Int { transfer.fileLimit }
    /// The maximum number of directories being listed.
    private static let listingLimit = 8
    /// The number of files waiting to be copied at which no further directories are listed.
    private static let backlogLimit = 1024

    var source: any FileSystem { transfer.source }
    var destination: any FileSystem { transfer.destination }
    private var observer: any CopyObserver { transfer.observer }

    /// Writes a stream to a file.
    ///
    /// - Throws: Errors of `FileTransfer.copy`; `cannot-create` if the path is a directory.
    func copy(_ input: any ByteSource, to path: ByteString) async throws(VTError) {
        let place = try await place(at: path)
        guard !place.isDirectory else {
            throw VTError(.cannotCreate, "'\(path.repairedText)' is a directory")
        }
        try await transfer.copy(input, to: place.path, isNew: place.isNew)
    }

    /// Copies the sources into the directory `path`, or, if it is not an existing directory, a single source to `path`.
    ///
    /// If a single directory is copied, and the path ends in '/' or the copy can be resumed, the directory `path` is
    /// created if necessary: a second run must find what the first one has copied.
    ///
    /// Symbolic links among the sources are followed; those in directories are copied as links. If there is more to copy
    /// than a single file, a file that cannot be copied is only reported to the observer.
    ///
    /// - Throws: `usage`, if there are several sources for a path that is not a directory; connection errors;
    ///   `cancelled`; for a single file, errors of `FileTransfer.copy`.
    func copy(_ sources: [ByteString], to path: ByteString) async throws(VTError) {
        var work = Work()
        if sources.count == 1, let source = sources.first {
            let attributes = try await attributes(ofSource: source)
            // Before the first request to the destination, so that it prepares while it answers.
            expect(attributes)
            var place = try await place(at: path)
            if attributes.kind == .directory, path.namesDirectory || transfer.options.resumes {
                place = try await directory(at: place, for: source)
            }
            let item = try await item(for: source, attributes, to: place)
            observer.found(item)
            guard item.attributes.kind == .directory else {
                observer.foundAll()
                return try await copyFile(item)
            }
            work.add(item)
        } else {
            let place = try await place(at: path, isDirectory: true)
            guard place.isDirectory else {
                throw VTError(.usage, "'\(path.repairedText)' is not a directory, but there are several files to copy")
            }
            var earlier: [ByteString: ByteString] = [:]
            for source in sources {
                do throws(VTError) {
                    let item = try await item(for: source, try await attributes(ofSource: source), to: place)
                    if let other = earlier.updateValue(source, forKey: item.destination) {
                        throw VTError(
                            .cannotCreate,
                            "'\(source.repairedText)' would replace the copy of '\(other.repairedText)', "
                                + "which has the same name"
                        )
                    }
                    add(item, to: &work)
                } catch {
                    try report(error, for: source)
                }
            }
        }
        try await perform(work)
    }

    // MARK: - Work

    /// What remains to be done.
    private struct Work {
        var items: [CopyItem] = []
        var listings: [Listing] = []
        /// The directories whose attributes are to be set at the end, with the changes.
        var finished: [(item: CopyItem, changes: FileAttributeChanges)] = []
        var runningItems = 0
        var runningListings = 0

        /// Whether all directories have been listed.
        var isListed: Bool { listings.isEmpty && runningListings == 0 }

        mutating func add(_ item: CopyItem) {
            if item.attributes.kind == .directory {
                listings.append(Listing(item: item))
            } else {
                items.append(item)
            }
        }
    }

    /// A directory that has not been fully listed.
    private struct Listing: Sendable {
        var item: CopyItem
        /// Nil until the directory has been created and opened.
        var reader: (any DirectoryReader)?
        /// Whether the directory has been created by this copy.
        var isNew = false
        /// Whether the directory itself needed no change.
        var isComplete = false
        /// The final mode of a new directory that the user may write to only until its files have been copied.
        var finalMode: UInt16?

        /// The changes to make when everything in the directory has been copied.
        func changes(_ options: CopyOptions) -> FileAttributeChanges {
            guard options.preservesAttributes else { return FileAttributeChanges(mode: finalMode) }
            return FileAttributeChanges(mode: item.attributes.copiedMode, times: item.attributes.times)
        }
    }

    private enum Outcome: Sendable {
        case copied(VTError?)
        case listed(Listing, [DirectoryEntry]?)
        case notListed(VTError?)
    }

    private func add(_ item: CopyItem, to work: inout Work) {
        observer.found(item)
        expect(item.attributes)
        work.add(item)
    }

    /// Announces that a file will probably be copied.
    private func expect(_ attributes: FileAttributes) {
        guard attributes.kind == .file else { return }
        let sizeBytes = attributes.sizeBytes ?? 0
        source.expect(sizeBytes: sizeBytes, isWritten: false)
        destination.expect(sizeBytes: sizeBytes, isWritten: true)
    }

    /// Copies everything that is found, and then sets the attributes of the directories.
    private func perform(_ work: Work) async throws(VTError) {
        var work = work
        try await withTasks(of: Outcome.self) { group throws(VTError) in try await perform(&work, in: &group) }
        // A directory that the user may not search must come after its subdirectories, whose paths are longer.
        let directories = work.finished.sorted { $0.item.destination.bytes.count > $1.item.destination.bytes.count }
        for (directory, changes) in directories { try await change(directory, to: changes) }
    }

    private func perform(_ work: inout Work, in group: inout TaskGroup<Outcome>) async throws(VTError) {
        while true {
            if work.isListed { observer.foundAll() }
            while work.runningItems < fileLimit, let item = work.items.popLast() {
                work.runningItems += 1
                group.addTask { await copy(item) }
            }
            while work.runningListings < Self.listingLimit, work.items.count < Self.backlogLimit,
                let listing = work.listings.popLast()
            {
                work.runningListings += 1
                group.addTask { await list(listing) }
            }
            switch await group.next() {
            case nil: return
            case .copied(let failure):
                work.runningItems -= 1
                if let failure { throw failure }
            case .notListed(let failure):
                work.runningListings -= 1
                if let failure { throw failure }
            case .listed(let listing, let entries):
                work.runningListings -= 1
                guard let entries else {
                    let changes = listing.changes(transfer.options)
                    if !changes.isEmpty { work.finished.append((listing.item, changes)) }
                    if listing.isComplete {
                        observer.skipped(listing.item)
                    } else {
                        observer.copied(listing.item)
                    }
                    continue
                }
                work.listings.append(listing)
                for entry in entries {
                    let item = CopyItem(
                        source: listing.item.source.appending(entry.name),
                        destination: listing.item.destination.appending(entry.name),
                        attributes: entry.attributes,
                        isNew: listing.isNew
                    )
                    add(item, to: &work)
                }
            }
        }
    }

    /// Passes a failure to the observer, or throws it if it concerns all files.
    private func report(_ error: VTError, for path: ByteString) throws(VTError) {
        guard let failure = fatal(error, for: path) else { return }
        throw failure
    }

    /// Returns a failure that concerns all files; passes others to the observer.
    private func fatal(_ error: VTError, for path: ByteString) -> VTError? {
        if error.concernsAllFiles { return error }
        observer.failed(path, error)
        return nil
    }

    // MARK: - Files

    private func attributes(ofSource path: ByteString) async throws(VTError) -> FileAttributes {
        guard let attributes = try await source.attributes(of: path, followsLinks: true) else {
            throw VTError(.notFound, "'\(path.repairedText)' does not exist")
        }
        guard attributes.kind != .directory || transfer.options.isRecursive else {
            throw VTError(.usage, "'\(path.repairedText)' is a directory", hint: "add -r to copy directories")
        }
        return attributes
    }

    /// Returns what to copy for a source.
    private func item(
        for path: ByteString,
        _ attributes: FileAttributes,
        to place: Place
    ) async throws(VTError) -> CopyItem {
        let destination = try await destination(of: path, attributes, at: place)
        if attributes.kind == .directory { try await checkNesting(of: destination, in: path) }
        return CopyItem(source: path, destination: destination, attributes: attributes, isNew: place.isNew)
    }

    /// Copies anything but a directory.
    private func copyFile(_ item: CopyItem) async throws(VTError) {
        switch item.attributes.kind {
        case .file: try await transfer.copy(item)
        case .link: try await copyLink(item)
        case .other where item.attributes.isOfUnknownKind:
            throw VTError(.io, "the server does not report what kind of file '\(item.source.repairedText)' is")
        case .directory, .other:
            throw VTError(.io, "'\(item.source.repairedText)' is not a file, directory or link")
        }
    }

    private func copy(_ item: CopyItem) async -> Outcome {
        do throws(VTError) {
            try await copyFile(item)
            return .copied(nil)
        } catch {
            return .copied(fatal(error, for: item.source))
        }
    }

    private func copyLink(_ item: CopyItem) async throws(VTError) {
        let target = try await source.linkTarget(of: item.source)
        if transfer.options.skipsComplete, !item.isNew, try await hasLink(item.destination, to: target) {
            return observer.skipped(item)
        }
        if item.isNew {
            try await destination.makeLink(item.destination, to: target)
        } else {
            try await replace(item.destination, withLinkTo: target)
        }
        observer.copied(item)
    }

    /// Puts a symbolic link in the place of a file, if there is one.
    private func replace(_ path: ByteString, withLinkTo target: ByteString) async throws(VTError) {
        let temporary = path.temporaryPath(ending: transfer.identifier)
        try await destination.makeLink(temporary, to: target)
        do throws(VTError) {
            if destination.renamesLinks { return try await destination.rename(temporary, to: path) }
            try await destination.remove(temporary)
            try await destination.remove(path)
            try await destination.makeLink(path, to: target)
        } catch {
            // The earlier failure is the one to report.
            try? await destination.remove(temporary)
            throw error
        }
    }

    /// Whether the destination has this symbolic link.
    private func hasLink(_ path: ByteString, to target: ByteString) async throws(VTError) -> Bool {
        guard try await destination.attributes(of: path, followsLinks: false)?.kind == .link else { return false }
        return try await destination.linkTarget(of: path) == target
    }

    // MARK: - Directories

    /// Returns the next entries of a directory, which is created and opened first.
    private func list(_ listing: Listing) async -> Outcome {
        var listing = listing
        do throws(VTError) {
            let reader: any DirectoryReader
            if let open = listing.reader {
                reader = open
            } else {
                let mode = (listing.item.attributes.mode ?? 0o777) & 0o777 | 0o700
                listing.isNew = try await makeDirectory(listing.item.destination, mode: mode)
                if listing.isNew { listing.finalMode = try await finalMode(of: listing.item) }
                listing.isComplete = try await isComplete(listing)
                reader = try await source.list(listing.item.source)
                listing.reader = reader
            }
            let entries = try await reader.next()
            if entries == nil { await reader.close() }
            return .listed(listing, entries)
        } catch {
            await listing.reader?.close()
            return .notListed(fatal(error, for: listing.item.source))
        }
    }

    /// Whether a directory existed before the copy, with the attributes that it is to have.
    private func isComplete(_ listing: Listing) async throws(VTError) -> Bool {
        guard transfer.options.skipsComplete, !listing.isNew, !listing.item.isNew else { return false }
        guard transfer.options.preservesAttributes else { return true }
        let item = listing.item
        let present = try await destination.attributes(of: item.destination, followsLinks: false)
        guard let times = item.attributes.times, present?.mode == item.attributes.copiedMode else { return false }
        return present?.times?.hasSameModification(as: times) ?? false
    }

    /// Returns the mode for a new directory that its user may not write to or search; nil for others.
    private func finalMode(of item: CopyItem) async throws(VTError) -> UInt16? {
        guard !transfer.options.preservesAttributes, let mode = item.attributes.mode, mode & 0o700 != 0o700 else {
            return nil
        }
        // Only the machine knows its umask, which has reduced the mode.
        let reduced = try await destination.attributes(of: item.destination, followsLinks: false)?.mode
        return reduced.map { $0 & 0o777 & (mode | 0o077) }
    }

    private func change(_ directory: CopyItem, to changes: FileAttributeChanges) async throws(VTError) {
        do throws(VTError) {
            try await destination.change(directory.destination, to: changes)
        } catch {
            observer.note(try error.unlessFatal.message)
        }
    }
}
