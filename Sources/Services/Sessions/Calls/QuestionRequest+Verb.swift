import Core

/// Errors: `negative` when the question was refused or withdrawn, none is open, or the session has ended; `timed-out`
/// when there was no answer in time; `busy` when another question is open, or the session is frozen or paused.
extension QuestionRequest: SessionVerb {
    package var callName: String { "ask" }

    package static let arguments: JSONTable<Self> = [
        .member("action", \.action, usual: .ask),
        .member("message", \.message, usual: ""),
        .member("timeout_ms", \.timeout),
    ]

    package var role: PageRole { .write }
    package var isShort: Bool { action != .ask && action != .wait }
    package var workLimit: Duration? { isShort ? .zero : nil }

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        try await sessions.ask(self, in: session)
    }
}
