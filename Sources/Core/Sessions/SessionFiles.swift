/// The files of one session, all below its directory of mode 0700.
package struct SessionFiles: Hashable, Sendable {
    package let directory: String

    /// `sessions` is the directory of all sessions.
    package init(of id: SessionID, in sessions: String) {
        directory = "\(sessions)/\(id.text)"
    }

    /// The record: `Session` as JSON, replaced as a whole.
    package var record: String { "\(directory)/session.json" }
    /// The program's bytes; the offset in the file is the offset in the session.
    package var output: String { "\(directory)/output" }
    /// The timeline: one JSON array on each line.
    package var events: String { "\(directory)/events" }
    /// Locked by the holder for its life: when the lock is free, the holder is gone.
    package var lock: String { "\(directory)/\(Self.lockName)" }
    package static let lockName = "lock"
    package var socket: String { "\(directory)/sock" }
    /// A symbolic link to the SSH agent of whoever attached last.
    package var agent: String { "\(directory)/agent" }
}
