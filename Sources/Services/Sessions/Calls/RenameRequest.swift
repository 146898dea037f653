import Core

/// Renames a session.
package struct RenameRequest: SessionVerb {
    package let callName = "rename"
    package var name: SessionName

    package init(to name: SessionName = .none) {
        self.name = name
    }

    package static let arguments: JSONTable<Self> = [.member("name", \.name)]

    package var role: PageRole { .owner }

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        try await sessions.rename(session, to: name)
    }
}
