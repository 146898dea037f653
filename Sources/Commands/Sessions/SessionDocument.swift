import Arguments
import Core

/// A session as JSON.
struct SessionDocument {
    let id: String
    let name: String
    /// Absent for this machine.
    var profile: String?
    let state: SessionState
    let command: [String]
    let cwd: String
    let pid: Int32?
    let size: SizeDocument
    let term: String
    let tags: [String]
    let environmentNames: [String]
    let createdAt: Timestamp
    let startedAt: Timestamp?
    let endedAt: Timestamp?
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
        state = session.state
        command = session.command
        cwd = session.directory
        pid = session.state.isLive ? session.program?.processID : nil
        size = SizeDocument(session.size)
        term = session.terminalType
        tags = session.tags
        environmentNames = session.environmentNames
        createdAt = session.createdAt
        startedAt = session.startedAt
        endedAt = session.endedAt
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
    static let documentName = "session"
    static let documentSummary = "a session"

    static let fields: JSONTable<Self> = [
        .field("id", \.id, "ID, unique and permanent"),
        .field("name", \.name, "name, unique on its machine"),
        .field("profile", \.profile, "server; absent for this machine"),
        .field("state", \.state, "state of the session"),
        .field("command", \.command, "words of the command line; invalid UTF-8 is replaced"),
        .field("cwd", \.cwd, "working directory in which the program was started"),
        .field("pid", \.pid, "process ID of the program, while it runs"),
        .field("size", \.size, "size of the terminal"),
        .field("term", \.term, "terminal type, the value of TERM"),
        .field("tags", \.tags, "tags"),
        .field("environment_names", \.environmentNames, "names of the environment variables given at creation"),
        .field("created_at", \.createdAt, "time of creation", in: .time),
        .field("started_at", \.startedAt, "time at which the program was started", in: .time),
        .field("ended_at", \.endedAt, "time at which the program ended", in: .time),
        .field("exit", \.exit, "how the program ended"),
        .field("failure", \.failure, "why the program could not be started, or why logging stopped"),
        .field("output_bytes", \.outputBytes, "size of the output, which is also the end offset", in: .bytes),
        .field("first_offset", \.firstOffset, "offset of the first output that is retained", in: .bytes),
        .field("sent_offset", \.sentOffset, "end of the output when `vt sessions send` was last used", in: .bytes),
        .field(
            "log_stopped_at",
            \.logStoppedAt,
            "offset at which logging stopped; later output is not logged",
            in: .bytes
        ),
        .field("log_max", \.logMax, "maximum size of the log", in: .bytes),
        .field("log_input", \.logInput, "true if typed input is also logged"),
        .field("keep_for", \.keepFor, "time from the end of the session until it is removed", in: .seconds),
        .field("clients", \.clients, "number of attached clients"),
        .field("survives", \.survives, "whether the session survives a logout, and why", as: Survival.Mode.self),
        .field("host", \.host, "host name of the machine"),
        .field("version", \.version, "version of vt that runs the session"),
        .field("is_new", \.isNew, "only for `vt sessions create`: false if the session already existed"),
    ]
}
