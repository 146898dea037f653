import Core

/// A line to run in a session's shell.
package struct LineExecution: Sendable {
    /// Without NUL bytes; may contain newlines.
    package var line: [UInt8]
    /// The standard input of the line; nil for the terminal.
    package var input: [UInt8]?
    /// The shell without a hook to type the line into; nil for the session's shell.
    package var assumedShell: AssumedShell?
    /// Identifies the request by its first `SessionFrame.tokenBytes` characters, so that a line is not run again after a lost connection.
    package var token = RandomIdentifier.make()
    /// Whether the holder records the token, so that `RequestState` of the request remains known.
    package var isIdentified = false
    /// Whether the request may have been received before.
    package var isRepeated = false
    /// The offset at which to continue with the output of a repeated request.
    package var resumeOffset: UInt64?
    /// How long to wait until the shell can take the line; nil means to fail with `busy` if it is not at its prompt.
    package var patience: Duration?
    /// Whether the line is also run while a question is open.
    package var isForced = false
    /// How long the command may run, from its start.
    package var timeout: Duration?
    /// Whether to interrupt the command when the time is over, instead of leaving it running.
    package var interrupts = false

    package init(_ line: [UInt8]) {
        self.line = line
    }
}

/// How a line in a session's shell ended.
package struct LineOutcome: Hashable, Sendable {
    package enum Kind: String, CaseIterable, JSONReadable, Sendable {
        /// The command has ended.
        case exit
        /// The timeout expired; the command is still running.
        case timedOut = "timed-out"
        /// The command has ended after it was interrupted because the timeout had expired.
        case interrupted
        /// The program of the session has ended.
        case sessionEnded = "session-ended"
        /// There has been no output for the limit; the command is still running.
        case idle
        /// The command waits for input.
        case input
        /// Another program has replaced the shell.
        case replaced
        /// The shell has not reported how the command ended.
        case unknown
    }

    package var kind = Kind.unknown
    /// The exit status of the command or, if the session has ended, of the shell.
    package var exit: ExitStatus?
    /// The offsets of the start and the end of the command's output.
    package var start: UInt64 = 0
    package var end: UInt64 = 0
    /// The working directory of the shell at the end.
    package var directory: String?
    /// The number of the command among those that the shell has run.
    package var turn: UInt64 = 0
    /// How long the command ran.
    package var elapsed = Duration.zero

    package init() {}
}
