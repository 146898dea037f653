import Core

/// Returns the snapshots of a session and its tree, oldest first.
package struct SnapshotsRequest: SessionVerb {
    package let callName = "snapshots"

    package init() {}

    /// They concern files, which cannot be seen in the session.
    package var role: PageRole { .owner }

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        try await answer.send(try sessions.snapshots(of: session))
    }

    package func outcome(in result: [SessionFrame]) throws(VTError) -> [Snapshot] { try result.documents() }
}
