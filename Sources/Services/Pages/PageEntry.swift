import Core
import Recording

/// A session or recording in the list of a page.
struct PageEntry: Hashable, Sendable {
    let subject: PageSubject
    /// The name by which pages refer to it.
    let reference: String
    /// What remains when a session is renamed: its ID, or the path of the recording.
    let id: String
    let startedAt: Timestamp?
    /// In seconds; nil for a running session.
    let duration: Double?
    /// The document for pages.
    let json: [UInt8]

    init(_ session: Session, on profile: String?) {
        subject = .session(profile: profile, session.id)
        let reference = SessionReference(profile: profile, session: session.name).text
        self.reference = reference
        let id = SessionReference(profile: profile, session: session.id.text).text
        self.id = id
        startedAt = session.startedAt
        duration = session.endedAt.map { end in Double(max(0, end.seconds - (session.startedAt ?? end).seconds)) }
        json = JSONWriter.object { writer in
            writer.member("session", reference)
            writer.member("id", id)
            writer.member("name", session.name)
            writer.member("profile", profile)
            writer.member("state", session.state)
            writer.member("question", session.openQuestion?.message)
            writer.member("exit", session.exit)
            writer.member("command", session.command)
            writer.member("created_at", session.createdAt)
            writer.member("size", SizeDocument(session.size))
            writer.member("kind", "session")
        }
    }

    /// Reads the recording once to find its duration; blocks.
    ///
    /// `name` is the name for pages. Lines that cannot be read are skipped, and reported.
    init(recording path: String, named name: String, _ diagnostics: any Diagnostics) throws(VTError) {
        var (header, end): (RecordingHeader?, RecordingTime) = (nil, .start)
        try RecordingFile(opening: path, policy: .lenient, diagnostics: diagnostics).read({ item throws(VTError) in
            switch item {
            case .header(let read): header = read
            case .event(let event): end = event.time
            }
        })
        guard let header else { throw VTError(.dataInvalid, "'\(path)' is empty") }
        subject = .recording(path)
        (reference, id, duration) = (name, path, end.seconds)
        startedAt = header.timestamp.flatMap { Timestamp(inFourDigitYears: $0) }
        json = JSONWriter.object { writer in
            writer.member("session", name)
            writer.member("name", header.title ?? name)
            writer.member("state", SessionState.exited)
            writer.member("command", [header.command ?? ""].filter { !$0.isEmpty })
            writer.member("created_at", header.timestamp.flatMap { Timestamp(inFourDigitYears: $0) })
            writer.member("size", SizeDocument(header.size))
            writer.member("kind", "recording")
            writer.member("duration", end.seconds)
        }
    }

    var isLive: Bool { duration == nil }

    /// Whether a page can use it.
    func isAllowed(by access: PageAccess) -> Bool {
        access.subject.map { $0 == subject } ?? true
    }
}
