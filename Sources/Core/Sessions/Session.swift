/// What is known about a session, as its directory keeps it.
package struct Session: Hashable, Sendable {
    package var id: SessionID
    package var name: String
    package var state: SessionState
    /// The words of the program; what is not UTF-8 is repaired.
    package var command: [String]
    package var directory: String
    /// The names of the variables that the session was given by name; their values are not kept.
    package var environmentNames: [String]
    package var size: TerminalSize
    package var terminalType: String
    package var tags: [String]
    package var createdAt: Timestamp
    package var startedAt: Timestamp?
    package var endedAt: Timestamp?
    package var exit: ExitStatus?
    /// Why the program could not be started, or what keeps the log from growing.
    package var failure: String?
    /// The end of the output, in bytes since its start.
    package var outputBytes: UInt64
    /// The first byte of the output that is still kept.
    package var firstOffset: UInt64
    /// Where the output stood before what was sent last ('vt sessions send'); nil: nothing was.
    package var sentOffset: UInt64?
    /// Whether the log stopped, and where; output behind this offset is not kept.
    package var logStoppedAt: UInt64?
    package var logLimitBytes: UInt64
    /// Whether the timeline holds what is typed, where the terminal echoes it.
    package var logsInput: Bool
    /// How many clients are attached.
    package var clients: Int?
    /// What keeps the session when its creator logs out.
    package var survival: String?
    /// The host's name, and an id that changes with each boot (random(4), boot_id).
    package var host: String
    package var bootID: String
    /// The program and the process that holds it.
    package var program: SessionProcess?
    package var holder: SessionProcess?
    /// The vt that holds it.
    package var version: String

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
        environmentNames = []
        tags = []
        outputBytes = 0
        firstOffset = 0
        logLimitBytes = Self.defaultLogLimitBytes
        logsInput = false
    }

    /// How much output is kept when nothing else is asked for.
    package static let defaultLogLimitBytes: UInt64 = 64 << 20
}

/// A process that cannot be taken for a later one with the same number.
package struct SessionProcess: Hashable, Sendable {
    package var processID: Int32
    /// Clock ticks since boot, field 22 of `/proc/PID/stat` (proc(5)).
    package var startTicks: UInt64

    package init(processID: Int32, startTicks: UInt64) {
        self.processID = processID
        self.startTicks = startTicks
    }
}
