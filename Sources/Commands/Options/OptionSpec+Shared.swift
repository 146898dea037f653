import Arguments

/// The options shared by several commands.
extension OptionSpec {
    static let noShare = OptionSpec(
        "no-share",
        summary: "do not share the connection with other commands",
        details: "VT_SHARE=off in the environment has the same effect, and VT_SHARE=DURATION sets how long an "
            + "unused connection is kept open."
    )

    static let connectTimeout = OptionSpec(
        "connect-timeout",
        value: ValueSpec("DURATION", defaultText: "15s"),
        summary: "time out if logging in takes longer than this"
    )

    /// The start of a part of a recording.
    static let startPosition = OptionSpec("from", value: ValueSpec("POSITION"), summary: "start at this position")

    /// The end of a part of a recording.
    static let endPosition = OptionSpec("to", value: ValueSpec("POSITION"), summary: "stop at this position")

    /// Used by vt on another machine, which closes the input when the command is no longer needed.

    /// Environment variables of the program that the command starts.
    static func environment(of program: String, details: String? = nil) -> OptionSpec {
        OptionSpec(
            "env",
            value: ValueSpec("NAME=VALUE"),
            isRepeatable: true,
            summary: "set an environment variable for \(program)",
            details: details
        )
    }
}
