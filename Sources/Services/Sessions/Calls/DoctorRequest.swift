import Core

/// Checks the machine, as `vt doctor` does.
package struct DoctorRequest: SessionVerb {
    package let callName = "doctor"

    package init() {}

    package var concernsSession: Bool { false }
    package var role: PageRole { .owner }

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        throw VTError(.internal, "this call does not concern sessions")
    }

    package func outcome(in result: [SessionFrame]) throws(VTError) -> [Finding] { try result.documents() }
}
