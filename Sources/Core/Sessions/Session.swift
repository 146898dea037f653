/// The state and attributes of a session, as stored in its directory.
package struct Session: Hashable, Sendable {
    package var id = SessionID.zero
    package var name: String = ""
    package var state = SessionState.starting
    /// The words of the program's command line; invalid UTF-8 is replaced.
    package var command: [String] = []
    package var directory: String = ""
    /// The names of the environment variables set explicitly for the session; their values are not stored.
    package var environmentNames: [String] = []
    package var size = TerminalSize.standard
    package var terminalType: String = ""
    package var tags: [String] = []
    package var createdAt = Timestamp(seconds: 0)
    package var startedAt: Timestamp?
    package var endedAt: Timestamp?
    /// When the last event was recorded: output, input, a resize, a mark or a marker.
    package var activeAt: Timestamp?
    package var exit: ExitStatus?
    /// Why the program could not be started, or why logging stopped.
    package var failure: String?
    /// The total output, in bytes.
    package var outputBytes: UInt64 = 0
    /// The offset of the first output byte that is still kept.
    package var firstOffset: UInt64 = 0
    /// The end of the output just before the last `vt sessions send`; nil if nothing was sent.
    package var sentOffset: UInt64?
    /// That input, if the session has ended and its output shows the input; not printed.
    package var sentText: String?
    /// The offset at which logging stopped, if it did; output after it is not kept.
    package var logStoppedAt: UInt64?
    package var logLimitBytes: UInt64 = Self.defaultLogLimitBytes
    /// Whether the timeline records typed input that the terminal echoes.
    package var logsInput = false
    /// How long the session is kept after its end, in whole seconds; zero means that its holder removes it, nil that it
    /// is kept until it is removed explicitly.
    package var keepFor: Duration?
    /// How many snapshots of its directory are kept that are taken before commands; nil if none are taken.
    package var automaticSnapshots: Int?
    /// The number of attached clients.
    package var clients: Int?
    /// Whether the session survives its creator's logout, and why: the name of a `Survival.Mode`.
    package var survival: String?
    /// The state of the session's shell; nil if its program is not a shell.
    package var shell: ShellStatus?
    /// The last question to the person at the session.
    package var question: Question?
    /// Whether the program in the foreground is waiting for input; nil where that is not known, as in the record on disk.
    package var isReading: Bool?
    /// The name of the machine on which the session was created.
    package var host: String = ""
    /// An ID that changes with each boot (random(4), boot_id).
    package var bootID: String = ""
    package var program: SessionProcess?
    package var holder: SessionProcess?
    /// The description of the session by a VibeTunnel server, with everything that vt does not know; nil elsewhere.
    package var vibeTunnel: ForeignJSON?
    /// The version of vt that the holder runs.
    package var version: String = ""

    /// A session to be read.
    init() {}

    package init(
        id: SessionID,
        name: String,
        state: SessionState,
        command: [String],
        directory: String,
        size: TerminalSize,
        terminalType: String,
        createdAt: Timestamp,
        host: String,
        bootID: String,
        version: String
    ) {
        self.id = id
        self.name = name
        self.state = state
        self.command = command
        self.directory = directory
        self.size = size
        self.terminalType = terminalType
        self.createdAt = createdAt
        self.host = host
        self.bootID = bootID
        self.version = version
    }

    /// Whether the session has ended and need not be kept any longer.
    ///
    /// The end of a lost session is unknown until a command has recorded the loss.
    package func isExpired(now: Timestamp) -> Bool {
        guard let keepFor, !state.isLive else { return false }
        guard let endedAt else { return keepFor == .zero }
        return .seconds(now.seconds - endedAt.seconds) >= keepFor
    }

    /// The error for a request that a frozen or paused session cannot perform; nil for other sessions.
    ///
    /// `name` is its name in the message; nil means its own.
    package func suspensionError(as name: String? = nil) -> VTError? {
        guard state.isSuspended else { return nil }
        let name = name ?? self.name
        return VTError(
            .busy,
            "'\(name)' is \(state.rawValue)",
            hint: "to continue it, use 'vt sessions resume \(name)'"
        )
    }

    /// The question that waits for an answer.
    package var openQuestion: Question? {
        state.isLive && question?.answer == nil ? question : nil
    }

    /// The error for input from a command while a question is open; nil if none is.
    package var questionError: VTError? {
        guard let question = openQuestion else { return nil }
        let hint = "to answer, use 'vt sessions ask \(name) --done' or --refuse; to send input before, use --force"
        return VTError(.busy, "'\(name)' waits for a person: '\(question.message)'", hint: hint)
    }

    /// The default limit for kept output.
    package static let defaultLogLimitBytes: UInt64 = 64 << 20
}
