import Core

/// Selects sessions.
package struct SessionFilter: Hashable, Sendable {
    /// Nil means any state.
    package var state: SessionState?
    /// Only sessions with all of these tags.
    package var tags: [String]
    /// Only sessions that ended at least this long ago.
    package var endedFor: Duration?

    package init(state: SessionState? = nil, tags: [String] = [], endedFor: Duration? = nil) {
        (self.state, self.tags, self.endedFor) = (state, tags, endedFor)
    }

    /// Returns whether the session is selected; if its end time is unknown, its start time is used.
    package func includes(_ session: Session, now: Timestamp) -> Bool {
        if let state, session.state != state { return false }
        guard tags.allSatisfy(session.tags.contains) else { return false }
        guard let endedFor else { return true }
        let end = session.endedAt ?? session.startedAt ?? session.createdAt
        return !session.state.isLive && .seconds(now.seconds - end.seconds) >= endedFor
    }
}
