/// The parameters of a new session.
package struct SessionRequest: Hashable, Sendable {
    package var name: SessionName
    /// The program and its arguments; a program without `/` is looked up in the session's PATH.
    package var command: [ByteString]
    /// An absolute path.
    package var directory: String
    /// The whole environment, as `NAME=VALUE` words.
    package var environment: [ByteString]
    /// The names of the variables that were set explicitly.
    package var environmentNames: [String]
    package var size: TerminalSize
    package var terminalType: String
    package var tags: [String]
    package var logLimitBytes: UInt64
    /// Whether the timeline records typed input that the terminal echoes.
    package var logsInput: Bool
    /// Whether an interactive shell is started with the hook that reports its prompts and commands.
    package var integratesShell: Bool
    /// How long to keep the session after its end; stored as `Session.keepFor`.
    package var keepFor: Duration?
    /// How many automatic snapshots to keep; stored as `Session.automaticSnapshots`.
    package var automaticSnapshots: Int?
    /// Whether the session survives its creator's logout, and why; stored as `Session.survival`.
    package var survival: String?
    /// The words to prepend to the holder's command line so that the holder survives a logout; usually none.
    package var launchPrefix: [ByteString]
    /// The creator's SSH agent socket: `SessionFiles.agent` links to it, and `SSH_AUTH_SOCK` in the session is the path
    /// of that link.
    package var agentSocket: String?

    package init(
        name: SessionName,
        command: [ByteString],
        directory: String,
        environment: [ByteString],
        size: TerminalSize = .standard,
        terminalType: String = "xterm-256color"
    ) {
        self.name = name
        self.command = command
        self.directory = directory
        self.environment = environment
        self.size = size
        self.terminalType = terminalType
        environmentNames = []
        tags = []
        logLimitBytes = Session.defaultLogLimitBytes
        logsInput = false
        integratesShell = true
        launchPrefix = []
    }
}
