/// A session to be made.
package struct SessionRequest: Hashable, Sendable {
    package var name: SessionName
    /// The program's words; the first one is looked up in the session's PATH when it holds no `/`.
    package var command: [ByteString]
    /// An absolute path.
    package var directory: String
    /// The whole environment, as `NAME=VALUE` words.
    package var environment: [ByteString]
    /// Which of its variables were asked for by name.
    package var environmentNames: [String]
    package var size: TerminalSize
    package var terminalType: String
    package var tags: [String]
    package var logLimitBytes: UInt64
    /// Whether the timeline is to hold what is typed, where the terminal echoes it.
    package var logsInput: Bool
    /// What keeps the session when its creator logs out; to be kept with it.
    package var survival: String?
    /// The words before the holder's own that start it where it survives; usually none.
    package var launchPrefix: [ByteString]
    /// The socket of the creator's SSH agent: `SessionFiles.agent` is to lead there, and the session's `SSH_AUTH_SOCK`
    /// to that link.
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
        launchPrefix = []
    }
}
