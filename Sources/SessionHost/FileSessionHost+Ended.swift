import Core
import Glibc

/// What is done to sessions that have no holder.
extension FileSessionHost {
    package func rename(_ id: SessionID, to name: SessionName) throws(VTError) {
        try withoutHolder(id) { record throws(VTError) in
            var renamed = record
            renamed.name = name.text
            try directory.names.move(id, from: record.name, to: name.text) { () throws(VTError) in
                try FileContents.replace(directory.files(of: id).record, with: renamed.json)
            }
        }
    }

    package func remove(_ id: SessionID) throws(VTError) -> Bool {
        do throws(VTError) {
            return try withoutHolder(id) { record throws(VTError) in
                try directory.names.release(record.name, of: id)
                try directory.removeFiles(of: id)
                return true
            }
        } catch {
            guard error.code == .notFound else { throw error }
            return false
        }
    }

    /// Does something while nobody else holds the session, or removes it.
    ///
    /// - Throws: `busy` when it has a holder, `not-found` when it is gone.
    private func withoutHolder<Result>(
        _ id: SessionID,
        _ body: (SessionRecord) throws(VTError) -> Result
    ) throws(VTError) -> Result {
        let gone = VTError(.notFound, "there is no session \(id.text)")
        let files = directory.files(of: id)
        guard let present = try directory.record(of: id) else { throw gone }
        let busy = VTError(.busy, "session '\(present.name)' is running", hint: "vt sessions kill \(present.name)")
        guard !present.state.isLive else { throw busy }
        // A holder that has told the end of the program is about to go; others hold the lock for a moment only.
        guard let lock = try SessionLock.take(files.lock, O_RDWR | O_CREAT, patience: .seconds(5)) else { throw busy }
        // The lock may be that of a directory which has been removed meanwhile.
        var (open, named) = (stat(), stat())
        guard unsafe fstat(lock.number, &open) == 0, unsafe stat(files.lock, &named) == 0,
            open.st_ino == named.st_ino, var record = try directory.record(of: id)
        else { throw gone }
        if record.state.isLive { record.state = present.state }
        return try body(record)
    }
}

extension SessionDirectory {
    /// Removes all files of a session, the lock and the directory last; what is gone already is no failure.
    ///
    /// - Throws: `io`; what is left then can be removed again.
    func removeFiles(of id: SessionID) throws(VTError) {
        let files = files(of: id)
        for name in try DirectoryListing.names(in: files.directory) where "\(files.directory)/\(name)" != files.lock {
            let path = "\(files.directory)/\(name)"
            guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .system(errno, "cannot remove '\(path)'") }
        }
        unsafe unlink(files.lock)
        guard unsafe rmdir(files.directory) == 0 || errno == ENOENT else {
            throw .system(errno, "cannot remove '\(files.directory)'")
        }
    }
}
