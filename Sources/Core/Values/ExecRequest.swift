/// A program to run, on this machine or another.
package struct ExecRequest: Hashable, Sendable {
    /// The two ways to name a program.
    package enum Command: Hashable, Sendable {
        /// A line that the login shell reads.
        case shellLine(ByteString)
        /// Exact words; at least one.
        case arguments([ByteString])
    }

    /// A terminal to give to the program.
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
    /// Nil: where the login shell starts (the home directory), or on this machine the present directory.
    package var directory: String?
    package var environment: [EnvironmentVariable]
    /// Variables that a server may take or leave, as `SendEnv` of ssh_config(5) has it; on this machine there are none.
    package var offeredEnvironment: [EnvironmentVariable] = []
    /// Reads shell lines instead of the login shell.
    package var shell: String?
    /// Nil: the program gets pipes.
    package var terminal: Terminal?

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
