import Core

/// Returns the session in its new state, and the processes that are still running although they should not, as
/// `PID NAME`.
///
/// It is not an error if the session is already in the requested state.
///
/// Errors: `busy` when the session is in another state, or its shell is not at its prompt; `negative` when it has ended,
/// or its program cannot be paused.
extension Suspension: SessionVerb {
    package var callName: String {
        switch self {
        case .freeze: "freeze"
        case .pause, .forcedPause: "pause"
        case .resume: "resume"
        }
    }

    package static let arguments: JSONTable<Self> = [
        .member(
            "force",
            get: { $0 == .forcedPause ? true : nil },
            set: { isForced, suspension throws(JSONValueError) in
                guard suspension.callName == pause.callName else { throw JSONValueError(line: 1) }
                suspension = isForced ? .forcedPause : .pause
            }
        )
    ]

    package var role: PageRole { .owner }
    /// `resume` starts a program, like `create`.
    package var isShort: Bool { self != .resume }
    package var workLimit: Duration? { Suspension.limit }

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        let (session, survivors) = try await sessions.suspend(session, self)
        try await answer.send([session])
        try await answer.send(.killed(survivors: survivors))
    }

    package func outcome(in result: [SessionFrame]) throws(VTError) -> (session: Session, survivors: [String]) {
        (try result.session(), try result.survivors())
    }
}
