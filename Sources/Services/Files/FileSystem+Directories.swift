import Core

/// Creating the directories that contain a file.
extension FileSystem {
    /// Creates a directory and its missing parent directories, unless it exists.
    ///
    /// - Throws: `cannot-create`, `io`.
    func makeDirectories(_ path: ByteString) async throws(VTError) {
        var missing: [ByteString] = []
        // A file's name followed by '/' does not exist.
        var path = path.withoutTrailingSlashes
        while try await attributes(of: path, followsLinks: true)?.kind != .directory {
            missing.append(path)
            guard path.parentDirectory != path, path.parentDirectory != "." else { break }
            path = path.parentDirectory
        }
        for path in missing.reversed() {
            do throws(VTError) {
                try await makeDirectory(path, mode: 0o777)
            } catch {
                // Another copy may have created it in the meantime.
                let present = try await attributes(of: path, followsLinks: true)
                guard present == nil || present?.kind == .directory else {
                    throw VTError(.cannotCreate, "'\(path.repairedText)' exists and is not a directory")
                }
                guard present != nil else { throw error }
            }
        }
    }

    /// Returns the error for a file or directory that could not be created: if it is `not-found`, it says which parent
    /// is missing or not a directory, which servers do not report, and has a hint for missing ones.
    func explained(_ error: VTError, creating path: ByteString) async -> VTError {
        guard error.code == .notFound else { return error }
        // A file name followed by '/' does not exist either.
        var parent = path.namesDirectory ? path.parentDirectory.appending(path.lastName) : path.parentDirectory
        let what = "cannot create '\(path.repairedText)'"
        // The missing parent that is closest to the root.
        var missing: ByteString?
        while parent != parent.parentDirectory, parent != "." {
            let kind: FileAttributes.Kind?
            do throws(VTError) {
                kind = try await attributes(of: parent, followsLinks: true)?.kind
            } catch {
                // If the parents cannot be examined, the error is reported as it is.
                break
            }
            if let kind {
                guard kind != .directory else { break }
                return VTError(.cannotCreate, "\(what): '\(parent.repairedText)' is not a directory")
            }
            if parent.lastName != path.lastName || parent.parentDirectory != path.parentDirectory { missing = parent }
            parent = parent.parentDirectory
        }
        guard let missing else { return error.suggestingParents }
        return VTError(.notFound, "\(what): the directory '\(missing.repairedText)' does not exist").suggestingParents
    }
}

extension VTError {
    /// The error with a hint for a missing parent directory.
    fileprivate var suggestingParents: VTError {
        guard code == .notFound, hint == nil else { return self }
        var error = self
        error.hint = "add --parents to create missing directories"
        return error
    }
}
