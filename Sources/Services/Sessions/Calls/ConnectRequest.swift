import Core

/// Connects to the holder of a session: after the call, the channel carries the frames of client and holder.
struct ConnectRequest: SessionVerb {
    let callName = "connect"

    var isShort: Bool { false }
    var workLimit: Duration? { nil }

    func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        throw VTError(.internal, "this call does not concern the records of sessions")
    }
}
