import Core
import Glibc
import System

/// Adds to the timelines of sessions that have no holders.
extension FileSessionStore {
    package func mark(_ id: SessionID, _ label: MarkerLabel) async throws(VTError) -> UInt64 {
        try await onOwnThread { [directory] () throws(VTError) in
            let files = directory.files(of: id)
            // A holder keeps the lock as long as it is running.
            guard let lock = try SessionLock.acquire(files.lock, O_RDWR, timeout: .seconds(2)),
                let record = try directory.record(of: id), record.state == .paused
            else { throw VTError(.busy, "the session is not paused, or its holder does not respond") }
            var log = try OutputLog(reopening: files, of: record)
            log.events.marker(label)
            log.synchronize()
            _ = lock.number
            return log.end
        }
    }
}
