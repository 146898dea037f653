import Core
import Terminal

/// A session that a client may use, as it was when it was found.
struct LinkedSession: Sendable {
    let session: Session
    /// Nil for this machine.
    let profile: String?
    let client: SessionClient

    var id: String { session.id.text }

    /// The session's name in messages.
    var name: String { SessionReference(profile: profile, session: session.name).text }

    /// The document of upstream's servers, in which only lists say where a session is.
    ///
    /// A session that the client may only watch has the member `readOnly`, which upstream's servers do not have.
    func document(inList: Bool, isReadOnly: Bool) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("id", id)
            writer.member("name", name)
            writer.member("command", session.command)
            writer.member("workingDir", session.directory)
            writer.member("status", session.state.isLive ? session.state : .exited)
            writer.member("exitCode", session.exit?.shellStatus)
            writer.member("startedAt", startedAt)
            writer.member("lastModified", session.endedAt ?? session.lastActivity(now: .now()))
            writer.member("pid", session.program?.processID)
            writer.member("initialCols", session.size.columns)
            writer.member("initialRows", session.size.rows)
            if inList { writer.member("source", "local") }
            if isReadOnly { writer.member("readOnly", true) }
        }
    }

    var startedAt: Timestamp { session.startedAt ?? session.createdAt }

    /// The screen that the session shows.
    func screen() async throws(VTError) -> Screen {
        try await client.call(ScreenRequest(), on: id).emulator().screen()
    }
}
