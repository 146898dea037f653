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

extension RecordDocument: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case path, profile, session, id, format, exit
    }

    static let documentName = "finished recording"
    static let documentSummary = "a recording that was written"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .path: JSONField(\Self.path, "path of the file")
        case .profile: JSONField(\Self.profile, "server; absent for this machine")
        case .session: JSONField(\Self.session, "name of the session")
        case .id: JSONField(\Self.id, "ID of the session")
        case .format: JSONField(\Self.format, of: RecordingFormat.self, "format of the file")
        case .exit: JSONField(\Self.exit, "how the program ended, if it has")
        }
    }
}
