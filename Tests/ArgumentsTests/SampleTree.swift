import Arguments

/// A command tree that uses the features of the parser, except hidden commands and options.
enum SampleTree {
    static let exec = CommandSpec(
        ["exec"],
        summary: "run a command",
        description: ["Runs a command."],
        operands: [
            OperandSpec("TARGET", completion: .target, omittedWith: ["tag", "all"]),
            OperandSpec("COMMAND", .commandWords, completion: .command),
        ],
        options: [
            OptionSpec("port", short: "p", value: ValueSpec("PORT"), summary: "connect to this port"),
            OptionSpec("user", short: "l", value: ValueSpec("USER"), summary: "log in as this user"),
            OptionSpec("tag", value: ValueSpec("TAG", completion: .tag), isRepeatable: true, summary: "run on these"),
            OptionSpec("all", excludes: ["tag"], summary: "run on all profiles"),
            OptionSpec(
                "stdin",
                value: ValueSpec("MODE", choices: ["inherit", "none"], defaultText: "inherit"),
                summary: "what the command reads"
            ),
            OptionSpec("identity", value: ValueSpec("FILE", completion: .file), summary: "use this key"),
            OptionSpec("pty", short: "t", summary: "give it a terminal"),
        ],
        examples: [ExampleSpec("vt exec web -- ls -la", "list files")],
        passesStatusThrough: true
    )

    static let add = CommandSpec(
        ["profile", "add"],
        summary: "save a server",
        description: ["Saves a server as a profile."],
        operands: [OperandSpec("NAME"), OperandSpec("DESTINATION", completion: .hostName)],
        options: [
            OptionSpec("jump", value: ValueSpec("PROFILE", completion: .profile), summary: "connect through it"),
            OptionSpec("no-agent", summary: "leave the agent alone"),
        ],
        examples: [ExampleSpec("vt profile add web deploy@web.example", "save a server")]
    )

    static let show = CommandSpec(
        ["profile", "show"],
        summary: "show profiles",
        operands: [OperandSpec("NAME", .oneOrMore, completion: .profile)]
    )

    static let copy = CommandSpec(
        ["copy"],
        summary: "copy files",
        operands: [
            OperandSpec("SOURCE", .oneOrMore, completion: .anyFile),
            OperandSpec("TARGET", completion: .directory),
            OperandSpec("NOTE", .optional),
        ]
    )

    /// A tree with a single command, whose option accepts values of any type.
    static let typed = CommandTree(
        version: "1.0",
        date: "2026-11-21",
        entries: entries([
            CommandSpec(
                ["typed"],
                summary: "read a value",
                description: ["Reads a value."],
                options: [
                    OptionSpec("value", value: ValueSpec("VALUE"), isRepeatable: true, summary: "the value"),
                    OptionSpec("only-vt", isHidden: true, summary: "not for users"),
                ]
            )
        ]),
        overview: { CommandOverview(summary: "read values", description: ["Reads values."], groups: []) }
    )

    static let version = CommandSpec(["version"], summary: "show the version")

    static let help = CommandSpec(
        ["help"],
        summary: "explain things",
        operands: [OperandSpec("TOPIC", .zeroOrMore, completion: .helpTopic)]
    )

    static let tree = tree(with: [])

    static func tree(with further: [CommandSpec]) -> CommandTree {
        CommandTree(
            version: "1.2.3",
            date: "2026-01-02",
            entries: entries([add, show, exec, copy, version, help] + further),
            overview: {
                CommandOverview(
                    summary: "try things",
                    description: ["vt tries things."],
                    groups: [GroupSpec("profile", "save servers")]
                )
            }
        )
    }

    static func entries(_ specs: [CommandSpec]) -> [CommandEntry] {
        specs.map { spec in CommandEntry(name: spec.name) { spec } }
    }
}
