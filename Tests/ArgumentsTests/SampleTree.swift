import Arguments

/// A command tree that uses the features of the parser, except hidden commands.
enum SampleTree {
    enum Mode: String, CaseIterable {
        case inherit, none
    }

    static let port = Option("port", short: "p", .number("PORT", in: 1...99), summary: "connect to this port")
    static let user = Option("user", short: "l", .text("USER"), summary: "log in as this user")
    static let tag = Option("tag", .text("TAG", completion: .tag), summary: "run on these").repeatable()
    static let all = Option.flag("all", excludes: [tag], summary: "run on all profiles")
    static let stdin = Option(
        "stdin",
        .choice("MODE", Mode.allCases),
        default: "inherit",
        summary: "what the command reads"
    )
    static let identity = Option("identity", .file, summary: "use this key")
    static let pty = Option.flag("pty", short: "t", summary: "give it a terminal")
    static let jump = Option("jump", .text("PROFILE", completion: .profile), summary: "connect through it")
        .formerly("via")
    static let noAgent = Option.flag("no-agent", summary: "leave the agent alone")

    static let fields = Option(
        "fields",
        ValueKind<String>("FIELDS", suggestions: ["name", "host", "note"], isList: true) { $0 },
        summary: "print these fields"
    )
    static let filter = Option(
        "filter",
        ValueKind<String>("FIELD=PATTERN", suggestions: ["name=", "host="]) { $0 },
        summary: "show matching rows"
    )

    static let target = Operand("TARGET", completion: .target).optional(omittedWith: [tag, all])
    static let name = Operand("NAME")
    static let destination = Operand("DESTINATION", completion: .hostName)
    static let sources = Operand("SOURCE", completion: .anyFile).list(.oneOrMore)
    static let directory = Operand("TARGET", completion: .directory)
    static let note = Operand("NOTE").optional()

    static let exec = CommandSpec(
        ["exec"],
        summary: "run a command",
        description: ["Runs a command."],
        operands: [
            target,
            OperandSpec("COMMAND", .commandWords, completion: .command),
        ],
        options: [port, user, tag, all, stdin, identity, pty],
        examples: [ExampleSpec("vt exec web -- ls -la", "list files")],
        passesStatusThrough: true
    )

    static let add = CommandSpec(
        ["profile", "add"],
        summary: "save a server",
        description: ["Saves a server as a profile."],
        operands: [name, destination],
        options: [jump, noAgent],
        examples: [ExampleSpec("vt profile add web deploy@web.example", "save a server")]
    )

    static let show = CommandSpec(
        ["profile", "show"],
        summary: "show profiles",
        operands: [Operand("NAME", completion: .profile).list(.oneOrMore)],
        options: [fields, filter]
    )

    static let copy = CommandSpec(
        ["copy"],
        summary: "copy files",
        operands: [sources, directory, note]
    )

    static let version = CommandSpec(["version"], summary: "show the version")

    static let help = CommandSpec(
        ["help"],
        summary: "explain things",
        operands: [Operand("TOPIC", completion: .helpTopic).list(.zeroOrMore)]
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
                    groups: [GroupSpec("profile", "save servers")],
                    topics: [TopicSpec("exit-codes", summary: "exit statuses", description: [])]
                )
            }
        )
    }

    static func entries(_ specs: [CommandSpec]) -> [CommandTree.Entry] {
        specs.map { spec in (spec.name, { spec }) }
    }
}
