import Core
import Glibc
import Runtime
import System

/// Resumes paused sessions that have no holder, and adds to their timelines.
extension FileSessionStore {
    package func resume(_ id: SessionID, launchPrefix: [ByteString]) async throws(VTError) {
        try await onOwnThread { () throws(VTError) in try self.resumeBlocking(id, launchPrefix) }
    }

    private func resumeBlocking(_ id: SessionID, _ prefix: [ByteString]) throws(VTError) {
        let files = directory.files(of: id)
        // If the lock is held, the session has a holder.
        guard let lock = try FileLock.acquire(files.lock, O_RDWR, timeout: .seconds(1)) else { return }
        guard let json = try FileContents.read(files.record), let saved = try FileContents.read(files.paused) else {
            throw VTError(.notFound, "session \(id.text) is not paused")
        }
        var record = try Session(json: json, source: "'\(files.record)'")
        // Processes of the shell that a holder was ending, or starting, when it was killed.
        let survivors = KillRun.end(Self.processes(of: record, holder: nil))
        guard survivors.isEmpty else {
            throw VTError(
                .system,
                "cannot resume '\(record.name)': \(survivors.map(\.text).joined(separator: ", ")) did not end"
            )
        }
        (record.state, record.program, record.holder, record.clients) = (.paused, nil, nil, nil)
        (record.bootID, record.host, record.version) = (SessionDirectory.bootID(), LinuxProcess.hostName, version)
        var document = try LaunchDocument(decoding: saved)
        (document.record, document.sessions) = (record, directory.path)
        _ = try launch(document, prefix: prefix, lock: lock)
    }

    package func mark(_ id: SessionID, _ label: MarkerLabel) async throws(VTError) -> UInt64 {
        try await onOwnThread { [directory] () throws(VTError) in
            let files = directory.files(of: id)
            // A holder keeps the lock as long as it is running.
            guard let lock = try FileLock.acquire(files.lock, O_RDWR, timeout: .seconds(2)),
                let record = try directory.record(of: id), record.state == .paused
            else { throw VTError(.busy, "the session is not paused, or its holder does not respond") }
            var log = try OutputLog(files, of: record, isNew: false)
            log.events.marker(label)
            log.synchronize()
            _ = lock.number
            return log.end
        }
    }
}
