/// A request to create a session.
package struct SessionCreation: Hashable, Sendable {
    /// What to do if the name is in use.
    package enum IfExists: String, CaseIterable, JSONReadable, Sendable {
        case fail
        /// Use a running session with this name; replace one that has ended.
        case ok
        /// Terminate and remove the session with this name.
        case replace
    }

    package var name: SessionName
    /// The argument vector; empty for the login shell.
    package var command: [ByteString]
    /// Nil means the current directory or, on a server, the profile's directory or the home directory.
    package var directory: String?
    /// Variables to set in addition to the default environment.
    package var variables: [EnvironmentVariable] = []
    package var size = TerminalSize.standard
    package var terminalType = "xterm-256color"
    package var tags: [String] = []
    package var logLimitBytes = Session.defaultLogLimitBytes
    /// Whether the timeline records typed input that the terminal echoes.
    package var logsInput = false
    /// Whether an interactive shell is started with the hook that reports its prompts and commands.
    package var integratesShell = true
    /// How long to keep the session after its end; nil means until it is removed explicitly.
    package var keepFor: Duration?
    package var ifExists = IfExists.fail
    /// Whether to fail unless the session is certain to outlive the creator's logout.
    package var mustSurvive = false

    /// How many snapshots to keep that are taken before the commands that vt starts in the shell; nil to take none.
    package var automaticSnapshots: Int?

    package init(name: SessionName, command: [ByteString]) {
        self.name = name
        self.command = command
    }
}
