/// The request expressed by a command line.
package enum Request: Sendable {
    /// Run the command that the arguments belong to.
    case run(ParsedArguments)
    /// Show help for a command, for a group, or with an empty path for vt.
    case help(path: [String], isLong: Bool)
}
