import Core

/// Adds a marker to the timeline of a session; returns the end of the output before it.
///
/// Errors: `negative` when the session has ended.
package struct MarkRequest: SessionVerb {
    package let callName = "mark"
    package var label: MarkerLabel

    package init(_ label: MarkerLabel = .none) {
        self.label = label
    }

    package static let arguments: JSONTable<Self> = [.member("label", \.label, usual: MarkerLabel.none)]

    package var role: PageRole { .write }

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        try await answer.start(at: try await sessions.mark(session, label))
    }

    package func outcome(in result: [SessionFrame]) throws(VTError) -> UInt64 { try result.accepted().offset }
}
