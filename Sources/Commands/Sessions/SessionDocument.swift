import Core

/// A session as JSON.
struct SessionDocument: Codable {
    let id: String
    let name: String
    /// Absent for this machine.
    var profile: String?
    let state: String
    let command: [String]
    let cwd: String
    let pid: Int32?
    let size: SizeDocument
    let term: String
    let tags: [String]
    let environmentNames: [String]
    let createdAt: String
    let startedAt: String?
    let endedAt: String?
    let exit: ExitDocument?
    let failure: String?
    let outputBytes: UInt64
    let firstOffset: UInt64
    let sentOffset: UInt64?
    let logStoppedAt: UInt64?
    let logMax: UInt64
    /// Absent unless typed input is logged.
    let logInput: Bool?
    let clients: Int?
    let survives: String?
    let host: String
    let version: String
    /// Only for `create`: false if the session already existed.
    var isNew: Bool?

    private enum CodingKeys: String, CodingKey {
        case id, name, profile, state, command, cwd, pid, size, term, tags
        case environmentNames = "environment_names"
        case createdAt = "created_at"
        case startedAt = "started_at"
        case endedAt = "ended_at"
        case exit, failure
        case outputBytes = "output_bytes"
        case firstOffset = "first_offset"
        case sentOffset = "sent_offset"
        case logStoppedAt = "log_stopped_at"
        case logMax = "log_max"
        case logInput = "log_input"
        case clients, survives, host, version
        case isNew = "is_new"
    }

    init(_ session: Session, profile: String?, isNew: Bool? = nil) {
        id = session.id.text
        name = session.name
        self.profile = profile
        state = session.state.rawValue
        command = session.command
        cwd = session.directory
        pid = session.state.isLive ? session.program?.processID : nil
        size = SizeDocument(session.size)
        term = session.terminalType
        tags = session.tags
        environmentNames = session.environmentNames
        createdAt = session.createdAt.rawValue
        startedAt = session.startedAt?.rawValue
        endedAt = session.endedAt?.rawValue
        exit = session.exit.map(ExitDocument.init)
        failure = session.failure
        outputBytes = session.outputBytes
        firstOffset = session.firstOffset
        sentOffset = session.sentOffset
        logStoppedAt = session.logStoppedAt
        logMax = session.logLimitBytes
        logInput = session.logsInput ? true : nil
        clients = session.clients
        survives = session.survival
        host = session.host
        version = session.version
        self.isNew = isNew
    }
}
