import Core

/// The result of waiting for a condition.
package struct WaitOutcome: Hashable, Sendable {
    package var id: SessionID
    package var name: String
    package var state: SessionState
    /// How the session's program ended; nil if it is still running, or if its status is unknown.
    package var exit: ExitStatus?
    /// The offset after the match or the prompt; for other conditions, the end of the output.
    package var offset: UInt64
    /// The part of the line that matched.
    package var match: String?
    /// The matching line, or the part of it that was available.
    package var line: String?
    /// The screen row in which the line starts, counted from 0; nil if the line is not on the screen.
    package var row: Int?
    /// The exit status of the command before a prompt, if the shell reported it.
    package var commandExit: Int?
    package var elapsed: Duration

    package init(
        id: SessionID,
        name: String,
        state: SessionState,
        exit: ExitStatus?,
        offset: UInt64,
        match: String? = nil,
        line: String? = nil,
        row: Int? = nil,
        commandExit: Int? = nil,
        elapsed: Duration
    ) {
        self.id = id
        self.name = name
        self.state = state
        self.exit = exit
        self.offset = offset
        self.match = match
        self.line = line
        self.row = row
        self.commandExit = commandExit
        self.elapsed = elapsed
    }

    package init(_ session: Session, offset: UInt64, elapsed: Duration) {
        self.init(
            id: session.id,
            name: session.name,
            state: session.state,
            exit: session.exit,
            offset: offset,
            elapsed: elapsed
        )
    }
}
