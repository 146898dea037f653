import Core

/// Lists the sessions of a machine, oldest first.
package struct ListRequest: SessionVerb {
    package let callName = "list"
    package var filter = SessionFilter()

    package init(_ filter: SessionFilter = SessionFilter()) {
        self.filter = filter
    }

    package static let arguments: JSONTable<Self> = [
        .member("state", \.filter.state),
        .member("tags", \.filter.tags, usual: []),
        .member("ended_for_ms", \.filter.endedFor),
    ]

    package var concernsSession: Bool { false }

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        try await answer.send(try await sessions.sessions(filter))
    }

    package func outcome(in result: [SessionFrame]) throws(VTError) -> [Session] { result.sessions }
}
