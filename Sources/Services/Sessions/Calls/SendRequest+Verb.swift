import Core

/// Writes input to the session's terminal; ends once all of it is written.
///
/// Returns the end of the output before the input, or nil on a machine without stable offsets, and whether the input
/// was not shown, as with a password.
///
/// Errors: `negative` when the session has ended; `busy` when it is frozen or paused, without `waits`, or a question is
/// open, without `isForced`; `timed-out`, in which case part of the input may have been written; errors reported by the
/// holder.
extension SendRequest: SessionVerb {
    package var callName: String { "send" }

    package static let arguments: JSONTable<Self> = [
        .member("wait", \.waits, usual: false),
        .member("timeout_ms", \.timeout),
        .member("force", \.isForced, usual: false),
        .member(
            "request",
            get: \.id,
            set: { id, request throws(JSONValueError) in request.id = try StateRequest.checked(id) }
        ),
    ]

    package var data: [UInt8] { input }

    package mutating func complete(_ data: [UInt8], _ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        input = data
    }

    package var role: PageRole { .write }
    package var workLimit: Duration? { nil }

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        let sent = try await sessions.send(self, to: session)
        try await answer.send(.accepted(sequence: 0, offset: sent.offset ?? 0, isHidden: sent.isHidden))
    }

    package func outcome(in result: [SessionFrame]) throws(VTError) -> (offset: UInt64?, isHidden: Bool) {
        if result.contains(.done) { return (nil, false) }
        return try result.accepted()
    }
}
