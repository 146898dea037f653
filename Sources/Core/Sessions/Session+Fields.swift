extension Session {
    /// The fields of the documents that vt prints; `session.json` contains those that are stored.
    package static let fields: JSONTable<Session> = [
        .stored("id", \.id, "ID, unique and permanent"),
        .stored("name", \.name, "name, unique on its machine"),
        .stored("state", \.state, "state of the session"),
        .stored("command", \.command, "words of the command line; invalid UTF-8 is replaced", isRequired: false),
        .stored("cwd", \.directory, "working directory in which the program was started"),
        .field("pid", \.runningProcessID, "process ID of the program, while it runs"),
        .field("size", \.sizeDocument, "size of the terminal"),
        .stored("term", \.terminalType, "terminal type, the value of TERM" + absentForVibeTunnel),
        .stored("tags", \.tags, "tags", isRequired: false),
        .stored(
            "environment_names",
            \.environmentNames,
            "names of the environment variables given at creation",
            isRequired: false
        ),
        .stored("created_at", \.createdAt, "time of creation", in: .time),
        .stored("started_at", \.startedAt, "time at which the program was started", in: .time),
        .stored("ended_at", \.endedAt, "time at which the program ended", in: .time),
        .stored("active_at", \.activeAt, "time of the last output, input, resize or event of the shell", in: .time),
        .field("exit", \.exit, "how the program ended"),
        .stored("failure", \.failure, "why the program could not be started, or why logging stopped"),
        .stored(
            "output_bytes",
            \.outputBytes,
            "size of the output, which is also the end offset" + absentForVibeTunnel,
            in: .bytes,
            isRequired: false
        ),
        .stored(
            "first_offset",
            \.firstOffset,
            "offset of the first output that is retained" + absentForVibeTunnel,
            in: .bytes,
            isRequired: false
        ),
        .stored(
            "sent_offset",
            \.sentOffset,
            "end of the output at the last input from `vt sessions send` or `exec`",
            in: .bytes
        ),
        .stored(
            "log_stopped_at",
            \.logStoppedAt,
            "offset at which logging stopped; later output is not logged",
            in: .bytes
        ),
        .stored(
            "log_max",
            \.logLimitBytes,
            "maximum size of the log" + absentForVibeTunnel,
            in: .bytes,
            isRequired: false
        ),
        .stored("log_input", \.inputIsLogged, "true if typed input is also logged"),
        .stored("keep_for", \.keptSeconds, "time from the end of the session until it is removed", in: .seconds),
        .stored(
            "auto_snapshots",
            \.automaticSnapshots,
            "number of snapshots that are kept of those taken before commands"
        ),
        .stored("clients", \.clients, "number of attached clients"),
        .stored("survives", \.survival, "whether the session survives a logout, and why", as: Survival.Mode.jsonType),
        .stored("shell", \.shell, "state of the shell, if the program is one that vt knows"),
        .stored("question", \.question, "last question of `vt sessions ask`; closed if it has an answer"),
        .stored("reading", \.isReading, "whether the program in the foreground is waiting for input"),
        .stored("host", \.host, "host name of the machine" + absentForVibeTunnel),
        .field("vibetunnel", \.vibeTunnel, "description of the session by a VibeTunnel server"),
        .stored("version", \.version, "version of vt that runs the session" + absentForVibeTunnel, isRequired: false),
    ]

    /// The properties that VibeTunnel servers do not report: the values of their sessions have no meaning.
    package static let unknownToVibeTunnel: [any PartialKeyPath<Session> & Sendable] = [
        \.terminalType, \.outputBytes, \.firstOffset, \.logLimitBytes, \.host, \.version,
    ]

    private static let absentForVibeTunnel = "; absent for sessions of a VibeTunnel server"

    private var runningProcessID: Int32? {
        state.isLive ? program?.processID : nil
    }

    private var sizeDocument: SizeDocument {
        SizeDocument(size)
    }

    /// Nil for false.
    private var inputIsLogged: Bool? {
        get { logsInput ? true : nil }
        set { logsInput = newValue ?? false }
    }

    private var keptSeconds: Int64? {
        get { keepFor?.components.seconds }
        set { keepFor = newValue.map { .seconds(max(0, $0)) } }
    }
}
