import Core

/// Resizes the terminal of a session.
package struct ResizeRequest: SessionVerb {
    package let callName = "resize"
    package var size: TerminalSize

    package init(to size: TerminalSize = .standard) {
        self.size = size
    }

    package static let arguments: JSONTable<Self> = [.member("size", \.size, usual: .standard)]

    package var role: PageRole { .write }

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        try await sessions.resize(session, to: size)
    }
}
