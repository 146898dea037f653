/// A command that the shell of a session has run or is running.
package struct Turn: Hashable, Sendable {
    package enum State: String, CaseIterable, JSONReadable, Sendable {
        case running
        case ended
        /// Another program has replaced the shell.
        case replaced
        /// The shell has not reported how the command ended.
        case unknown
    }

    package enum Origin: String, CaseIterable, JSONReadable, Sendable {
        /// The line was passed to the shell by `vt sessions exec`.
        case exec
        /// The line was typed.
        case typed
    }

    /// Counted from 1 for each session.
    package var number: UInt64 = 0
    package var command: String?
    package var state = State.running
    package var status: UInt32?
    package var origin = Origin.typed
    package var directory: String?
    /// The offset of the start of the output.
    package var start: UInt64 = 0
    /// The offset of the end of the output; nil while it is unknown.
    package var end: UInt64?
    /// The offset of the first output of the turn that is kept; nil if all of it is.
    package var firstOffset: UInt64?
    package var startedAt = Timestamp(seconds: 0)
    package var endedAt: Timestamp?
    package var duration: Duration?

    package init() {}
}

extension Turn: JSONRecord {
    package static let documentName = "turn"
    package static let documentSummary = "a command that the shell of a session has run"

    package static let fields: JSONTable<Self> = [
        .stored("turn", \.number, "number of the turn, counted from 1"),
        .stored(
            "command",
            \.command,
            "command line, at most 1,024 characters; absent if it is unknown"
        ),
        .stored("state", \.state, "whether the command is running, or how it ended"),
        .stored("status", \.status, "exit status of the command, if it has ended"),
        .stored("origin", \.origin, "how the line reached the shell"),
        .stored("cwd", \.directory, "working directory of the shell when the command started"),
        .stored("from", \.start, "offset of the start of the output", in: .bytes),
        .stored("to", \.end, "offset of the end of the output, if that is known", in: .bytes),
        .stored(
            "first_offset",
            \.firstOffset,
            "offset of the first output that is retained, if the start of the output has been discarded",
            in: .bytes
        ),
        .stored("started_at", \.startedAt, "time at which the command started", in: .time),
        .stored("ended_at", \.endedAt, "time at which the command ended", in: .time),
        .stored("duration_ms", \.duration, "how long the command ran", in: .milliseconds),
    ]
}
