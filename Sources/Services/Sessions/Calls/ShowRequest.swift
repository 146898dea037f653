import Core

/// Returns a session with its current state.
package struct ShowRequest: SessionVerb {
    package let callName = "show"

    package init() {}

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        try await answer.send([try await sessions.session(session)])
    }

    package func outcome(in result: [SessionFrame]) throws(VTError) -> Session { try result.session() }
}
