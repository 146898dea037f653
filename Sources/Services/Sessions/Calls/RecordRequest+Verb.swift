import Core
import Recording

/// Passes on the recording of a session, or the requested part of it, in whole lines if possible.
///
/// Errors: `usage` when input is requested but was not logged.
extension RecordRequest: SessionVerb {
    package var callName: String { "record" }

    package static let arguments: JSONTable<Self> = [
        .member("format", \.format, usual: .v3),
        .member("from", \.start),
        .member("to", \.end),
        .member("follow", \.follows, usual: false),
        .member("input", \.includesInput, usual: false),
        .member("title", \.title),
        .member("idle_limit_ms", \.idleLimit),
        .member("theme", \.theme),
        .member("max_size", \.limitBytes),
    ]

    package var isShort: Bool { !follows }
    package var workLimit: Duration? { follows ? nil : .zero }

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        try await sessions.record(session, self, to: answer)
    }
}
