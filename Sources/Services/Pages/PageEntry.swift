import Core

/// A session or recording in the list of a page.
struct PageEntry: Hashable, Sendable {
    let subject: PageSubject
    /// The name by which pages refer to it.
    let reference: String
    let session: Session

    init(_ session: Session, on profile: String?) {
        subject = .session(profile: profile, session.id)
        reference = SessionReference(profile: profile, session: session.name).text
        self.session = session
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("session", reference)
            writer.member("name", session.name)
            if case .session(let profile, _) = subject { writer.member("profile", profile) }
            writer.member("state", session.state)
            writer.member("exit", session.exit)
            writer.member("command", session.command)
            writer.member("created_at", session.createdAt)
            writer.member("size", SizeDocument(session.size))
            writer.member("kind", "session")
        }
    }

    /// Whether a page can use it.
    func isAllowed(by access: PageAccess) -> Bool {
        access.subject.map { $0 == subject } ?? true
    }
}
