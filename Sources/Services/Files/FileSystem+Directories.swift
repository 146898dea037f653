import Core

/// Creating the directories that contain a file.
extension FileSystem {
    /// Creates a directory and its missing parent directories, unless it exists.
    ///
    /// - Throws: `cannot-create`, `io`.
    func makeDirectories(_ path: ByteString) async throws(VTError) {
        var missing: [ByteString] = []
        var path = path
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
                let isPresent = try await attributes(of: path, followsLinks: true)?.kind == .directory
                guard isPresent else { throw error }
            }
        }
    }
}

extension VTError {
    /// The error with a hint for a missing parent directory.
    var suggestingParents: VTError {
        guard code == .notFound, hint == nil else { return self }
        var error = self
        error.hint = "add --parents to create missing directories"
        return error
    }
}
