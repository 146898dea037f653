import Core

/// What is waited for.
package enum WaitCondition: Sendable {
    /// The end of the session.
    case exit
    /// A line, or its beginning, that the expression matches: as a terminal shows it, or raw, as it was written but
    /// for escape sequences.
    case match(LinePattern, text: String, isRaw: Bool)
    /// A shell's prompt, as it tells with OSC 133; without an offset also the one at which the session stands.
    case prompt
    /// No output for so long; the end of the session is as good.
    case idle(Duration)
}

/// What a wait found.
package struct WaitOutcome: Hashable, Sendable {
    package var id: SessionID
    package var name: String
    package var state: SessionState
    /// How the session's program ended, where it has and that is known.
    package var exit: ExitStatus?
    /// Where the output stood: after the match, or at its end.
    package var offset: UInt64
    /// The part of the line that matched, and the line as far as it was there.
    package var match: String?
    package var line: String?
    /// The row of the screen in which the line begins, counted from 0, where it is on the screen.
    package var row: Int?
    /// The status that the command before a prompt ended with, where the shell told it.
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
