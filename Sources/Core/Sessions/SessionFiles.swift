/// The files of one session, all in its directory, which has mode 0700.
package struct SessionFiles: Hashable, Sendable {
    package let directory: String

    /// `sessions` is the directory of all sessions.
    package init(of id: SessionID, in sessions: String) {
        directory = "\(sessions)/\(id.text)"
    }

    /// The record: `Session` as JSON, replaced atomically.
    package var record: String { "\(directory)/session.json" }
    /// The program's output; file offsets are session offsets.
    package var output: String { "\(directory)/output" }
    /// The timeline: one JSON array per line.
    package var events: String { "\(directory)/events" }
    /// The marks of turns in the part of the timeline that has been released, in the same format.
    package var turns: String { "\(directory)/turns" }
    /// The requests that clients have given an ID, for `RequestState`.
    package var requests: String { "\(directory)/requests" }
    /// Locked by the holder while it runs: if the lock is free, the holder is gone.
    package var lock: String { "\(directory)/\(Self.lockName)" }
    package static let lockName = "lock"
    package var socket: String { "\(directory)/sock" }
    /// The directory with the hook of the session's shell, and with the line for it to run.
    package var shell: String { "\(directory)/shell" }
    /// How to start the shell of a paused session again, with its environment, which may contain secrets; removed once
    /// that shell is at its prompt.
    package var paused: String { "\(directory)/paused" }
    /// The environment that the shell has written on request; contains secrets, and exists only for a moment.
    package var environment: String { "\(directory)/environment" }
    /// A symbolic link to the SSH agent of the client that attached last.
    package var agent: String { "\(directory)/agent" }
}
