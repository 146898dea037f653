import Core
import Recording
import Services

/// A finished recording as JSON.
struct RecordDocument: Encodable {
    let path: String
    /// Absent for this machine.
    let profile: String?
    let session: String
    let id: String
    let format: String
    /// How the program ended, if known.
    let exit: ExitDocument?

    init(_ session: Session, profile: String?, _ options: RecordOptions, path: String) {
        self.path = path
        self.profile = profile
        self.session = session.name
        id = session.id.text
        format = options.request.format.rawValue
        exit = session.exit.map(ExitDocument.init)
    }
}
