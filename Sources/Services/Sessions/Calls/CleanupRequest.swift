import Core

/// Removes sessions that have ended, with their logs: the named ones or, without names, those selected by the filter.
///
/// Returns the removed sessions or, with `isDryRun`, those that would be removed.
///
/// Errors: `busy` for a named session that has not ended, or that was lost and still has running processes.
package struct CleanupRequest: SessionVerb {
    package let callName = "cleanup"
    package var names: [String] = []
    package var filter = SessionFilter()
    package var isDryRun = false

    package init(_ names: [String] = [], _ filter: SessionFilter = SessionFilter(), isDryRun: Bool = false) {
        (self.names, self.filter, self.isDryRun) = (names, filter, isDryRun)
    }

    package static let arguments: JSONTable<Self> = [
        .member("sessions", \.names, usual: []),
        .member("state", \.filter.state),
        .member("tags", \.filter.tags, usual: []),
        .member("ended_for_ms", \.filter.endedFor),
        .member("dry_run", \.isDryRun, usual: false),
    ]

    package var concernsSession: Bool { false }
    package var role: PageRole { .owner }

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        try await answer.send(try await sessions.cleanUp(names, filter, isDryRun: isDryRun))
    }

    package func outcome(in result: [SessionFrame]) throws(VTError) -> [Session] { result.sessions }
}
