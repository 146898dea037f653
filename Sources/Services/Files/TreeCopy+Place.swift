import Core

/// Where to copy to.
extension TreeCopy {
    /// The destination that a path given by the user denotes.
    struct Place {
        /// The file to write to: for a symbolic link to a file, the file to which it refers.
        var path: ByteString
        var isDirectory = false
        /// Whether the file does not exist yet.
        var isNew = false
    }

    /// Returns the destination; with `createsParents`, missing directories are created, and so is the destination itself
    /// if it `isDirectory` or its path names a directory.
    func place(at path: ByteString, isDirectory: Bool = false) async throws(VTError) -> Place {
        async let own = Result { () async throws(VTError) in try await self.ownKind(at: path) }
        let attributes = try await destination.permittedAttributes(of: path, followsLinks: true)
        let kind = attributes?.kind
        let ownKind = try await own.get()
        guard kind != .directory else { return Place(path: path, isDirectory: true) }
        guard attributes?.isOfUnknownKind != true else {
            throw VTError(.io, "the server does not report what kind of file '\(path.repairedText)' is")
        }
        guard kind != .other else {
            throw VTError(
                .cannotCreate,
                "'\(path.repairedText)' is not a regular file",
                hint: "use '-' for standard output, and redirect it"
            )
        }
        if ownKind == nil, transfer.options.createsParents {
            let isDirectory = isDirectory || path.namesDirectory
            try await destination.makeDirectories(isDirectory ? path : path.parentDirectory)
            return Place(path: path, isDirectory: isDirectory, isNew: true)
        }
        guard ownKind == .link else { return Place(path: path, isNew: ownKind == nil) }
        guard kind == nil else { return Place(path: try await destination.absolutePath(of: path)) }
        // The file to which the link refers is created.
        let target = try await destination.linkTarget(of: path)
        return Place(path: target.bytes.first == UInt8(ascii: "/") ? target : path.parentDirectory.appending(target))
    }

    /// The kind of a file in the destination, or of a symbolic link itself; nil if it does not exist.
    private func ownKind(at path: ByteString) async throws(VTError) -> FileAttributes.Kind? {
        try await destination.permittedAttributes(of: path, followsLinks: false)?.kind
    }

    /// Returns the directory that is to contain the copy of the directory `path`, which is created unless it exists.
    func directory(at place: Place, for path: ByteString) async throws(VTError) -> Place {
        guard !place.isDirectory else { return place }
        try await checkNesting(of: place.path, in: path)
        let isNew = try await makeDirectory(place.path, mode: 0o777)
        return Place(path: place.path, isDirectory: true, isNew: isNew)
    }

    /// Creates a directory unless it exists; returns whether it was created.
    func makeDirectory(_ path: ByteString, mode: UInt16) async throws(VTError) -> Bool {
        do throws(VTError) {
            try await destination.makeDirectory(path, mode: mode)
            return true
        } catch {
            guard error.code == .cannotCreate || error.code == .exists else {
                throw await destination.explained(error, creating: path)
            }
            // A link is not followed, because the source could have sent it to escape from the destination.
            let present = try await destination.attributes(of: path, followsLinks: false)
            if present?.kind == .directory { return false }
            guard present != nil else { throw error }
            throw VTError(.cannotCreate, "'\(path.repairedText)' exists and is not a directory")
        }
    }

    /// Returns the path to which a source is copied.
    func destination(
        of path: ByteString,
        _ attributes: FileAttributes,
        at place: Place
    ) async throws(VTError) -> ByteString {
        guard place.isDirectory else {
            guard attributes.kind == .directory || !place.path.namesDirectory else {
                let error = VTError(.notFound, "the directory '\(place.path.repairedText)' does not exist")
                throw await self.destination.explained(error, creating: place.path)
            }
            return place.path
        }
        // The contents of `a/.` are copied into the directory itself.
        let name = path.lastName
        return name.isEntryName ? place.path.appending(name) : place.path
    }

    /// Checks that a directory is not copied into itself, which would never end.
    func checkNesting(of path: ByteString, in directory: ByteString) async throws(VTError) {
        guard isOnOneMachine else { return }
        let outer = try await source.absolutePath(of: directory)
        // Without a parent directory, the copy fails later.
        guard let parent = try? await destination.absolutePath(of: path.parentDirectory),
            parent == outer || parent.bytes.starts(with: outer.bytes + [UInt8(ascii: "/")])
        else { return }
        throw VTError(
            .usage,
            "cannot copy the directory '\(directory.repairedText)' into itself, as '\(path.repairedText)'"
        )
    }
}
