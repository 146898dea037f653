import Core

/// The result of parsing a command line.
///
/// If parsing failed, the options and the command are the ones recognized before the failure: they determine the exit
/// status and how the failure is reported.
package struct ParseOutcome: Sendable {
    package var globalOptions: GlobalOptions
    package var command: CommandSpec?
    /// Whether the command exits with the status of a program, so that failures of vt itself exit with 255, or with 124
    /// for a timeout.
    package var passesStatusThrough: Bool
    package var request: Request
}

/// What a command line asks vt to do.
package enum Request: Sendable {
    /// Run the command.
    case run(Call)
    /// Show help for a command, for a group or, if the path is empty, for vt itself.
    case help(path: [String], isLong: Bool)
    /// Report why the command line is invalid.
    case reject(VTError)
}
