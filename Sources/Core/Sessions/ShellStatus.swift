/// What is known about the shell of a session.
package struct ShellStatus: Hashable, Sendable {
    /// What the shell is doing.
    package enum State: String, Hashable, Sendable, CaseIterable, JSONReadable {
        /// It is waiting for a line.
        case prompt
        case running
        /// It is waiting for the rest of an incomplete line.
        case continuation
        /// It does not report what it is doing, or has not yet.
        case unknown
    }

    /// The name of the shell, such as `bash`.
    package var kind = ""
    package var state = State.unknown
    /// The command that is running or has run last; nil if the shell does not report it.
    package var command: String?
    /// When that command was started.
    package var startedAt: Timestamp?
    /// The exit status of the last command that has ended.
    package var lastExit: UInt32?
    /// The working directory at the last prompt.
    package var directory: String?
    /// The number of commands that have been started.
    package var turn: UInt64 = 0
    /// The offset of the end of the last prompt.
    package var promptOffset: UInt64?

    package init() {}

    package init(kind: String) {
        self.kind = kind
    }
}

extension ShellStatus: JSONRecord {
    package static let documentName = "shell"
    package static let documentSummary = "the state of a session's shell"

    package static let fields: JSONTable<Self> = [
        .stored("kind", \.kind, "name of the shell"),
        .stored(
            "state",
            \.state,
            "what the shell is doing; `unknown` if it does not report that, or has not shown a prompt yet"
        ),
        .stored("command", \.command, "command that is running or has run last, at most 1,024 characters"),
        .stored("started_at", \.startedAt, "time at which that command was started", in: .time),
        .stored("last_exit", \.lastExit, "exit status of the last command that has ended"),
        .stored("cwd", \.directory, "working directory at the last prompt"),
        .stored("turn", \.turn, "number of commands that have been started", isRequired: false),
        .stored("prompt_offset", \.promptOffset, "end of the output up to the end of the last prompt", in: .bytes),
    ]
}
