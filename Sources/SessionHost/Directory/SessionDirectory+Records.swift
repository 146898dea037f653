import Core
import Glibc
import System

/// Reads the records of sessions, and corrects the states of sessions whose holders are gone.
///
/// The holder writes the record, but a holder that was killed cannot update it. Only the lock shows whether the holder
/// is running; the host name does not, because it can change and differs in a container that shares the directory.
extension SessionDirectory {
    /// Returns the record of a session that has been found before.
    ///
    /// - Throws: `not-found`; errors of `record`.
    func existingRecord(of id: SessionID) throws(VTError) -> Session {
        guard let record = try record(of: id) else { throw VTError(.notFound, "no such session: \(id.text)") }
        return record
    }

    /// Returns nil if the session does not exist; a regular file or link in its place is not a session.
    ///
    /// - Throws: `config` for a record of a later version, and for files owned by other users.
    func record(of id: SessionID) throws(VTError) -> Session? {
        let files = files(of: id)
        guard isDirectory(files.directory) else { return nil }
        try check(files)
        guard let written = try read(files, of: id) else { return try leftover(of: id) }
        guard written.state.isLive else { return written }
        guard !FileLock.isHeld(files.lock) else { return withLength(written, files) }
        // The holder may have exited between the two checks.
        guard var last = try read(files, of: id), last.state.isLive else { return try read(files, of: id) }
        last.clients = nil
        if unsafe access(files.paused, F_OK) == 0 {
            // It was being paused or resumed, and can be resumed.
            last.state = .paused
            return withLength(last, files)
        }
        // Once a process has been recorded, the program may have run.
        last.state = last.state == .starting && last.program == nil ? .failed : .lost
        if last.state == .failed { last.failure = "its start was interrupted" }
        return withLength(last, files)
    }

    private func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private func read(_ files: SessionFiles, of id: SessionID) throws(VTError) -> Session? {
        // If the fast read fails, retry with the one that reports the reason.
        var contents = FileContents.readSmall(files.record)
        if contents == nil { contents = try FileContents.read(files.record) }
        guard let contents else { return nil }
        return try parsed(contents, files, of: id)
    }

    /// Parses a record.
    ///
    /// If the record is damaged or empty, or belongs to another session, the session is described without it: as
    /// running if it has a holder, and as unreadable if not, so that it can be removed.
    ///
    /// - Throws: `config` for a record of a later version.
    private func parsed(
        _ contents: [UInt8],
        _ files: SessionFiles,
        of id: SessionID
    ) throws(VTError) -> Session? {
        let reason: String
        do throws(VTError) {
            let record = try Session(json: contents, source: "'\(files.record)'")
            guard record.id != id else { return record }
            reason = "'\(files.record)' is the record of another session, \(record.id.text)"
        } catch {
            guard !Session.isOfLaterVersion(contents) else { throw error }
            reason = error.message
        }
        guard var record = try bare(id, files, state: .unreadable) else { return nil }
        // The holder has the full state and writes it with the next change.
        if FileLock.isHeld(files.lock) { record.state = .running }
        record.failure = reason
        return record
    }

    private func withLength(_ record: Session, _ files: SessionFiles) -> Session {
        var record = record
        var status = stat()
        if unsafe stat(files.output, &status) == 0 {
            record.outputBytes = max(record.outputBytes, UInt64(clamping: status.st_size))
        }
        if unsafe stat(files.events, &status) == 0 {
            record.activeAt = Timestamp(seconds: Int64(status.st_mtim.tv_sec))
        }
        return record
    }

    /// Describes a session that has no record, because its start was interrupted or is still in progress.
    private func leftover(of id: SessionID) throws(VTError) -> Session? {
        let files = files(of: id)
        let isHeld = FileLock.isHeld(files.lock)
        guard var record = try bare(id, files, state: isHeld ? .starting : .failed) else { return nil }
        if !isHeld { record.failure = "its start was interrupted" }
        return record
    }

    /// Describes a session without reading its record; nil if the session does not exist.
    private func bare(
        _ id: SessionID,
        _ files: SessionFiles,
        state: SessionState
    ) throws(VTError) -> Session? {
        var status = stat()
        guard unsafe stat(files.directory, &status) == 0 else { return nil }
        let record = Session(
            id: id,
            name: try names.all()[id] ?? id.text,
            state: state,
            command: [],
            directory: "/",
            size: .standard,
            terminalType: "",
            createdAt: Timestamp(seconds: Int64(status.st_mtim.tv_sec)),
            host: LinuxProcess.hostName,
            bootID: "",
            version: ""
        )
        return withLength(record, files)
    }

    /// An ID that changes with each boot (random(4)); empty if the system has none.
    static func bootID() -> String {
        let path = "/proc/sys/kernel/random/boot_id"
        // Without boot IDs, processes are identified by PID and start time only.
        guard let contents = try? FileContents.read(path) else { return "" }
        return String(decoding: contents.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
