import Core

/// Returns the selected turns of the session's shell, oldest first.
///
/// Errors: `negative` when the program of the session does not report its commands.
extension TurnFilter: SessionVerb {
    package var callName: String { "history" }

    package static let arguments: JSONTable<Self> = [
        .member(
            "turn",
            get: \.number,
            set: { number, filter throws(JSONValueError) in
                guard number != 0, number != .min else { throw JSONValueError(line: 1) }
                filter.number = number
            }
        ),
        .member("after", \.after),
        .member("since", \.since),
        .member("last_ms", \.age),
        .member("failed", \.hasFailed, usual: false),
        .member("match", \.text),
        .member(
            "limit",
            get: \.limit,
            set: { limit, filter throws(JSONValueError) in
                guard limit >= 1 else { throw JSONValueError(line: 1) }
                filter.limit = limit
            }
        ),
    ]

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        try await answer.send(try sessions.turns(of: session, self))
    }

    package func outcome(in result: [SessionFrame]) throws(VTError) -> [Turn] { try result.documents() }
}
