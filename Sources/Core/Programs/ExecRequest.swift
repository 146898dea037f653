/// A program to run, on this or another machine.
package struct ExecRequest: Hashable, Sendable {
    /// The ways to specify a program.
    package enum Command: Hashable, Sendable {
        /// A line interpreted by the login shell, or by `shell` if it is not nil.
        case shellLine(ByteString)
        /// The exact argument vector; not empty.
        case arguments([ByteString])
        /// The user's login shell, which reads commands from its input or terminal; not on this machine.
        case loginShell
        /// A subsystem of the server, such as `sftp` (RFC 4254 §6.5); only with SSH.
        case subsystem(ByteString)
    }

    /// A pseudo-terminal for the program.
    package struct Terminal: Hashable, Sendable {
        /// The value of TERM.
        package var type: String
        package var size: TerminalSize

        package init(type: String, size: TerminalSize) {
            self.type = type
            self.size = size
        }
    }

    package var command: Command
    /// The working directory; nil means the current one on this machine, and the login shell's initial one on a server.
    ///
    /// Login shells and subsystems always start in the initial one.
    package var directory: String?
    /// The variables that the program must have; an SSH server may reject those of login shells and subsystems.
    package var environment: [EnvironmentVariable]
    /// The names of inherited variables that the program must not have; only for programs on this machine.
    package var removedVariables: Set<String> = []
    /// Variables offered to a server, which may reject them (ssh_config(5), SendEnv); not used for local runs.
    package var offeredEnvironment: [EnvironmentVariable] = []
    /// The program to use instead of the login shell to interpret shell lines.
    package var shell: String?
    /// Nil means that the program's standard streams are pipes.
    package var terminal: Terminal?
    /// The word with which the shell of the command announces itself on standard output (`ProcessAnnouncement`); nil if
    /// it does not.
    ///
    /// Login shells, subsystems, programs on this machine and servers that might not have sh(1) make no announcement.
    package var announcement: String?
    /// Whether a shared connection keeps the program running after the end of its input, for the next equal request.
    ///
    /// The program must then be ready for new input. The request ends successfully once the input has ended.
    package var isKept = false

    package init(
        _ command: Command,
        directory: String? = nil,
        environment: [EnvironmentVariable] = [],
        shell: String? = nil,
        terminal: Terminal? = nil
    ) {
        self.command = command
        self.directory = directory
        self.environment = environment
        self.shell = shell
        self.terminal = terminal
    }
}
