import Core

/// A session as its creator asks for it.
package struct SessionCreation: Sendable {
    /// What happens when the name is taken.
    package enum IfExists: String, CaseIterable, Sendable {
        case fail
        /// A live session of this name is as good as a new one; one that has ended makes room.
        case ok
        /// The session of this name is ended and removed.
        case replace
    }

    package var name: SessionName
    /// Exact words; none: the login shell.
    package var command: [ByteString]
    /// Nil: the present directory here, the home directory on a server.
    package var directory: String?
    /// What was asked for by name, on top of the usual environment.
    package var variables: [EnvironmentVariable] = []
    package var size = TerminalSize.standard
    package var terminalType = "xterm-256color"
    package var tags: [String] = []
    package var logLimitBytes = Session.defaultLogLimitBytes
    /// Whether the timeline is to hold what is typed, where the terminal echoes it.
    package var logsInput = false
    package var ifExists = IfExists.fail
    /// Whether it is an error when it is not certain that the session outlives the creator's logout.
    package var mustSurvive = false

    package init(name: SessionName, command: [ByteString]) {
        self.name = name
        self.command = command
    }
}
