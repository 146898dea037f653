import Core
import Glibc
import System

/// Operations on sessions that have no holder.
extension FileSessionStore {
    package func rename(_ id: SessionID, to name: SessionName) async throws(VTError) {
        try await onOwnThread { () throws(VTError) in
            try self.locked(id) { record throws(VTError) in
                guard record.state != .unreadable else { throw Self.unreadable(record) }
                var renamed = record
                renamed.name = name.text
                try directory.names.move(id, from: record.name, to: name.text) { () throws(VTError) in
                    try FileContents.replace(directory.files(of: id).record, with: renamed.json)
                }
            }
        }
    }

    package func remove(_ id: SessionID) async throws(VTError) -> Bool {
        try await onOwnThread { () throws(VTError) in try self.removeBlocking(id) }
    }

    /// Removes a session, whose lock this thread may have to wait for; returns false if it is gone.
    private func removeBlocking(_ id: SessionID) throws(VTError) -> Bool {
        do throws(VTError) {
            return try locked(id) { record throws(VTError) in
                try directory.names.release(record.name, of: id)
                try directory.removeFiles(of: id)
                return true
            }
        } catch {
            guard error.code == .notFound else { throw error }
            return false
        }
    }

    package func removeExpired(among sessions: [Session]) -> [Session] {
        let now = Timestamp.now()
        let ended = sessions.filter { session in
            guard session.keepFor != nil, !session.state.isLive else { return false }
            // The holder may still have clients, or is about to remove the session itself.
            guard !FileLock.isHeld(directory.files(of: session.id).lock) else { return false }
            // If another machine shares the directory, but not its locks, its running sessions look lost here.
            if session.state == .lost { return session.host == LinuxProcess.hostName }
            return session.isExpired(now: now)
        }
        guard !ended.isEmpty else { return sessions }
        let remains = remains(of: ended)
        let removed = ended.filter { session in
            guard remains[session.id] == nil else { return false }
            guard session.isExpired(now: now) else {
                // If the loss cannot be recorded, this is tried again next time.
                if session.endedAt == nil { _ = try? Self.recordLoss(in: directory.files(of: session.id)) }
                return false
            }
            // Another process holds the lock only if it removes the session, too.
            return (try? removeBlocking(session.id)) != nil
        }
        let removedIDs = Set(removed.map(\.id))
        return sessions.filter { !removedIDs.contains($0.id) }
    }

    /// Removes all expired sessions, at most once a minute, because all records have to be read.
    func removeExpiredSometimes() {
        let marker = "\(directory.path)/expired"
        var status = stat()
        let now = Timestamp.now().seconds
        if unsafe stat(marker, &status) == 0, abs(now - Int64(status.st_mtim.tv_sec)) < 60 { return }
        // A failure only means that ended sessions are kept until a later call.
        guard (try? FileContents.replace(marker, with: [], isDurable: false)) != nil, let ids = try? directory.ids()
        else { return }
        _ = removeExpired(among: ids.compactMap { (try? directory.record(of: $0)) ?? nil })
    }

    private static func unreadable(_ record: Session) -> VTError {
        VTError(
            .config,
            "the record of '\(record.name)' cannot be read: \(record.failure ?? "")",
            hint: "to remove the session, use 'vt sessions cleanup \(record.name)'"
        )
    }

    private func busy(_ record: Session) -> VTError {
        guard record.state.isLive else {
            return VTError(
                .busy,
                "session '\(record.name)' has ended, but clients are still reading its output",
                hint: "try again once they have exited"
            )
        }
        return VTError(
            .busy,
            "session '\(record.name)' is running",
            hint: "to end it, use 'vt sessions kill \(record.name)'"
        )
    }

    /// Runs `body` with the session's lock held, so that no other process can rename or remove the session.
    ///
    /// The thread may have to wait for the lock.
    ///
    /// - Throws: `busy` when the session has a holder, `not-found` when it is gone.
    private func locked<Result>(
        _ id: SessionID,
        _ body: (Session) throws(VTError) -> Result
    ) throws(VTError) -> Result {
        let files = directory.files(of: id)
        let present = try directory.existingRecord(of: id)
        let busy = busy(present)
        // Without a readable record, the state depends only on the lock, which other processes may hold briefly.
        let isUnreadable = present.state == .running && present.failure != nil
        guard !present.state.isLive || isUnreadable else { throw busy }
        // A holder that has reported the end of the program is about to exit; any other holder keeps its lock.
        let timeout = Duration.seconds(isUnreadable ? 1 : 5)
        guard let lock = try FileLock.acquire(files.lock, O_RDWR | O_CREAT, timeout: timeout) else { throw busy }
        // The lock may be in a directory that has been removed in the meantime.
        var (open, named) = (stat(), stat())
        guard unsafe fstat(lock.number, &open) == 0, unsafe stat(files.lock, &named) == 0,
            open.st_ino == named.st_ino
        else { throw VTError(.notFound, "no such session: \(id.text)") }
        var record = try directory.existingRecord(of: id)
        if record.state.isLive { record.state = present.state }
        return try body(record)
    }
}
