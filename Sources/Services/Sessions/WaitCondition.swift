import Core

/// What is waited for.
package enum WaitCondition: Sendable {
    /// The end of the session.
    case exit
    /// A line of output, or its beginning, that the expression matches.
    case match(LinePattern, text: String)
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
    package var elapsed: Duration

    package init(
        id: SessionID,
        name: String,
        state: SessionState,
        exit: ExitStatus?,
        offset: UInt64,
        match: String? = nil,
        line: String? = nil,
        elapsed: Duration
    ) {
        self.id = id
        self.name = name
        self.state = state
        self.exit = exit
        self.offset = offset
        self.match = match
        self.line = line
        self.elapsed = elapsed
    }

    package init(_ session: SessionRecord, offset: UInt64, match: String? = nil, line: String? = nil, elapsed: Duration)
    {
        self.init(
            id: session.id,
            name: session.name,
            state: session.state,
            exit: session.exit,
            offset: offset,
            match: match,
            line: line,
            elapsed: elapsed
        )
    }
}
