import Core
import Recording

/// A finished recording as JSON.
struct RecordDocument {
    let path: String
    /// Absent for this machine.
    let profile: String?
    let session: String
    let id: String
    let format: RecordingFormat
    /// How the program ended, if known.
    let exit: ExitStatus?

    init(_ session: Session, profile: String?, _ options: RecordOptions, path: String) {
        self.path = path
        self.profile = profile
        self.session = session.name
        id = session.id.text
        format = options.request.format
        exit = session.exit
    }
}

extension RecordDocument: JSONDocument {
    static let documentName = "finished recording"
    static let documentSummary = "a recording that was written"

    static let fields: JSONTable<Self> = [
        .field("path", \.path, "path of the file"),
        .field("profile", \.profile, "server; absent for this machine"),
        .field("session", \.session, "name of the session"),
        .field("id", \.id, "ID of the session"),
        .field("format", \.format, "format of the file"),
        .field("exit", \.exit, "how the program ended, if it has"),
    ]
}
