/// The request expressed by a command line.
package enum Request: Sendable {
    /// Run the command that the arguments belong to.
    case run(ParsedArguments)
    /// Show help for a command, for a group or, if the path is empty, for vt itself.
    case help(path: [String], isLong: Bool)
}
