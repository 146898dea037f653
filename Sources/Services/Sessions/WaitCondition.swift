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
    /// The session as it was then.
    package var session: SessionRecord
    /// Where the output stood: after the match, or at its end.
    package var offset: UInt64
    /// The part of the line that matched, and the line as far as it was there.
    package var match: String?
    package var line: String?
    package var elapsed: Duration

    package init(
        session: SessionRecord,
        offset: UInt64,
        match: String? = nil,
        line: String? = nil,
        elapsed: Duration
    ) {
        self.session = session
        self.offset = offset
        self.match = match
        self.line = line
        self.elapsed = elapsed
    }
}
