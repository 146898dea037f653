import Core

/// Ends a session or, with a signal, only sends the signal; returns the surviving processes, as `PID NAME`.
///
/// A session that has already ended is not an error, but is reported.
///
/// Errors: `negative` when no process can receive the signal.
package struct KillRequest: SessionVerb {
    package let callName = "kill"
    package var signal: SignalName?
    package var grace: Duration

    package init(_ signal: SignalName? = nil, grace: Duration = .zero) {
        (self.signal, self.grace) = (signal, grace)
    }

    package static let arguments: JSONTable<Self> = [
        .member("signal", \.signal), .member("grace_ms", \.grace, usual: .zero),
    ]

    package var role: PageRole { .owner }
    package var workLimit: Duration? { grace * 2 }

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        try await answer.send(.killed(survivors: try await sessions.kill(session, signal: signal, grace: grace)))
    }

    package func outcome(in result: [SessionFrame]) throws(VTError) -> [String] { try result.survivors() }
}
