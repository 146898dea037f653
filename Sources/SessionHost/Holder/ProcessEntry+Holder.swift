import Core
import System

extension ProcessEntry {
    /// Whether the process is the holder of a session, in this or another of the user's session directories.
    ///
    /// Arguments can be forged, so the process must also have the session's lock open, the lock must be held, and the
    /// session's record must contain the PID and start time of the process.
    var isHolder: Bool {
        let words = (FileContents.readSmall("/proc/\(processID)/cmdline") ?? []).split(separator: 0)
        guard words.count >= 3, words[1].elementsEqual(SessionHolder.verb.bytes),
            let id = SessionID(String(decoding: words[2], as: UTF8.self)), let sessions = openDirectory(of: id)
        else { return false }
        let files = SessionFiles(of: id, in: sessions)
        guard FileLock.isHeld(files.lock), let json = FileContents.readSmall(files.record),
            let record = try? Session(json: json, source: "'\(files.record)'")
        else { return false }
        return record.id == id && record.holder == identity
    }

    /// The sessions directory in which the process has this session's lock open; nil if there is none.
    private func openDirectory(of id: SessionID) -> String? {
        let descriptors = "/proc/\(processID)/fd"
        // A process that has exited or belongs to another user cannot be the holder.
        for name in (try? DirectoryListing.names(in: descriptors)) ?? [] {
            guard let target = FileContents.link(at: "\(descriptors)/\(name)") else { continue }
            let parts = target.split(separator: "/", omittingEmptySubsequences: false)
            if parts.count > 2, parts.suffix(2).elementsEqual([id.text[...], "lock"]) {
                return parts.dropLast(2).joined(separator: "/")
            }
        }
        return nil
    }
}
