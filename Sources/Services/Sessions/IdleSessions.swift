import Core

/// Selects the sessions of one machine that have been idle for some time, or that exceed a number.
package struct IdleSessions: Sendable {
    /// What is done with the selected sessions.
    package enum Action: String, CaseIterable, Sendable {
        case freeze, pause, kill
    }

    package var action: Action
    /// The time without activity after which a session is selected; nil if it does not matter.
    package var idle: Duration?
    /// The maximum number of running sessions: the sessions with the oldest activity are selected if there are more.
    package var maximumActive: Int?
    /// Only sessions with all of these tags are considered.
    package var tags: [String] = []

    package init(_ action: Action) {
        self.action = action
    }

    /// Returns the selected sessions, oldest activity first.
    ///
    /// Sessions whose last activity is not known are never selected.
    package func selected(from sessions: [Session], now: Timestamp) -> [Session] {
        let candidates = candidates(among: sessions).filter(\.isActivityKnown)
            .sorted { ($0.lastActivity(now: now), $0.id.text) < ($1.lastActivity(now: now), $1.id.text) }
        let idle = candidates.filter { session in
            self.idle.map { .seconds(now.seconds - session.lastActivity(now: now).seconds) >= $0 } ?? false
        }
        let running = sessions.filter { $0.state == .running && tags.allSatisfy($0.tags.contains) }
        let left = running.count - idle.count { $0.state == .running }
        let surplus = maximumActive.map { max(0, left - $0) } ?? 0
        let others = candidates.filter { $0.state == .running && !idle.contains($0) }
        return idle + others.prefix(surplus)
    }

    /// The sessions that might have to be selected, but whose last activity is not known.
    package func unknown(among sessions: [Session]) -> [Session] {
        candidates(among: sessions).filter { !$0.isActivityKnown }
    }

    private func candidates(among sessions: [Session]) -> [Session] {
        sessions.filter { tags.allSatisfy($0.tags.contains) && allows($0) && $0.openQuestion == nil }
    }

    /// Whether the action is possible and changes something.
    private func allows(_ session: Session) -> Bool {
        switch action {
        case .freeze: session.state == .running
        case .pause: session.state == .running && session.shell?.state == .prompt && session.shell?.kind != "sh"
        case .kill: session.state == .running || session.state.isSuspended
        }
    }
}

extension Session {
    /// Whether it is known when the session was last active: not all VibeTunnel servers report that.
    fileprivate var isActivityKnown: Bool { vibeTunnel == nil || activeAt != nil }

    /// When the session was last active; a command that is running in its shell is activity.
    func lastActivity(now: Timestamp) -> Timestamp {
        if state == .running, shell?.state == .running { return now }
        return activeAt ?? startedAt ?? createdAt
    }
}
