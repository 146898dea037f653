import Core

/// Asks what is known about a request with an ID.
package struct StateRequest: SessionVerb {
    package let callName = "request"
    package var id: String

    package init(_ id: String) {
        self.id = id
    }

    package static let arguments: JSONTable<Self> = [
        .member(
            "request",
            isRequired: true,
            get: \.id,
            set: { id, request throws(JSONValueError) in request.id = try checked(id) }
        )
    ]

    /// - Throws: for an ID that is shorter than a holder needs.
    static func checked(_ id: String) throws(JSONValueError) -> String {
        guard id.utf8.count >= SessionFrame.tokenBytes else { throw JSONValueError(line: 1, path: "request") }
        return id
    }

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        let id = try sessions.host.session(session).id
        try await answer.send("state", try sessions.host.state(ofRequest: self.id, to: id))
    }

    package func outcome(in result: [SessionFrame]) throws(VTError) -> RequestState {
        guard let state: RequestState = try result.member("state") else { throw [SessionFrame].incomplete }
        return state
    }
}
