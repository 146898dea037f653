import Arguments
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
    /// Absent if the session is kept until it is removed explicitly.
    let keepFor: Int64?
    let clients: Int?
    let survives: String?
    let host: String
    let version: String
    /// Only for `create`: false if the session already existed.
    var isNew: Bool?

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
        keepFor = session.keepFor?.components.seconds
        clients = session.clients
        survives = session.survival
        host = session.host
        version = session.version
        self.isNew = isNew
    }
}

extension SessionDocument: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
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
        case keepFor = "keep_for"
        case clients, survives, host, version
        case isNew = "is_new"
    }

    static let documentName = "session"
    static let documentSummary = "a session"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .id: JSONField(\Self.id, "ID, unique and permanent")
        case .name: JSONField(\Self.name, "name, unique on its machine")
        case .profile: JSONField(\Self.profile, "server; absent for this machine")
        case .state: JSONField(\Self.state, of: SessionState.self, "state of the session")
        case .command: JSONField(\Self.command, "words of the command line; invalid UTF-8 is replaced")
        case .cwd: JSONField(\Self.cwd, "working directory in which the program was started")
        case .pid: JSONField(\Self.pid, "process ID of the program, while it runs")
        case .size: JSONField(\Self.size, "size of the terminal")
        case .term: JSONField(\Self.term, "terminal type, the value of TERM")
        case .tags: JSONField(\Self.tags, "tags")
        case .environmentNames:
            JSONField(\Self.environmentNames, "names of the environment variables given at creation")
        case .createdAt: JSONField(\Self.createdAt, "time of creation", in: .time)
        case .startedAt: JSONField(\Self.startedAt, "time at which the program was started", in: .time)
        case .endedAt: JSONField(\Self.endedAt, "time at which the program ended", in: .time)
        case .exit: JSONField(\Self.exit, "how the program ended")
        case .failure: JSONField(\Self.failure, "why the program could not be started, or why logging stopped")
        case .outputBytes: JSONField(\Self.outputBytes, "size of the output, which is also the end offset", in: .bytes)
        case .firstOffset: JSONField(\Self.firstOffset, "offset of the first output that is retained", in: .bytes)
        case .sentOffset:
            JSONField(\Self.sentOffset, "end of the output when `vt sessions send` was last used", in: .bytes)
        case .logStoppedAt:
            JSONField(\Self.logStoppedAt, "offset at which logging stopped; later output is not logged", in: .bytes)
        case .logMax: JSONField(\Self.logMax, "maximum size of the log", in: .bytes)
        case .logInput: JSONField(\Self.logInput, "true if typed input is also logged")
        case .keepFor:
            JSONField(\Self.keepFor, "time from the end of the session until it is removed", in: .seconds)
        case .clients: JSONField(\Self.clients, "number of attached clients")
        case .survives:
            JSONField(\Self.survives, of: Survival.Mode.self, "whether the session survives a logout, and why")
        case .host: JSONField(\Self.host, "host name of the machine")
        case .version: JSONField(\Self.version, "version of vt that runs the session")
        case .isNew: JSONField(\Self.isNew, "only for `vt sessions create`: false if the session already existed")
        }
    }
}
