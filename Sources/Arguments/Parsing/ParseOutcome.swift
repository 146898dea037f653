import Core

/// What a command line asks for.
package enum Request: Sendable {
    /// To run the command of the arguments' spec.
    case run(ParsedArguments)
    /// To show help on a command, a group, or with an empty path on vt.
    case help(path: [String], isLong: Bool)
}

/// What was understood of a command line.
///
/// The options and the command are there even when the request failed, as far as the line was read: they decide how
/// the failure is told and which exit status it has.
package struct ParseOutcome: Sendable {
    package var globalOptions: GlobalOptions
    package var command: CommandSpec?
    /// Whether the exit status is a program's, and 255 stands for every failure of vt itself.
    package var passesStatusThrough: Bool
    package var request: Result<Request, VTError>
}
