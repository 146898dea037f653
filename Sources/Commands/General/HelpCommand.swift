import Arguments
import Core

/// Shows help: `vt help [TOPIC...]`.
package enum HelpCommand: Command {
    private static let topic = Operand("TOPIC", completion: .helpTopic).list(.zeroOrMore)
    private static let skill = Option.flag(
        "skill",
        summary: "with 'agents', print the page as a SKILL.md file"
    )
    private static let noPager = Option.flag("no-pager", summary: "do not show the page with a pager")

    package static let spec = CommandSpec(
        ["help"],
        summary: "show help for vt, a command or a topic",
        description: [
            "Without TOPIC, lists all commands. A topic is a command such as 'profile add', a group of commands such "
                + "as 'profile', or a page: 'targets', 'offsets', 'exit-codes', or 'agents', which is for programs that "
                + "use vt through a shell.",
            "On a terminal, help is shown by the pager in VT_PAGER or PAGER, or by less, unless --no-pager is given.",
            "With --json, prints the same information as JSON: every command with its arguments, options, defaults, "
                + "examples and exit statuses.",
        ],
        operands: [topic],
        options: [skill, noPager],
        examples: [
            ExampleSpec("vt help", "list the commands"),
            ExampleSpec("vt help sessions wait", "show help for a command"),
            ExampleSpec("vt help targets", "how to name servers and sessions"),
            ExampleSpec("vt help agents --skill >SKILL.md", "write the page for agents as a skill"),
            ExampleSpec("vt help exit-codes", "list the exit statuses and their meaning"),
            ExampleSpec("vt help --json", "describe all commands and options as JSON"),
        ]
    )

    package static var documents: [DocumentSpec] {
        [
            .document(CommandTree.self),
            .document([CommandSpec].self, when: "with a group"),
            .document(CommandSpec.self, when: "with a command"),
            .document(TopicSpec.self, when: "with `targets` or `offsets`"),
            .document([ExitStatusRow].self, when: "with `exit-codes`"),
        ]
    }

    package static func check(_ call: Call) throws(VTError) {
        guard !call[skill] || path(call) == [HelpTopics.agents.name] else {
            throw VTError(.usage, "--skill can be used only with 'agents'")
        }
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let path = path(call)
        guard path != [HelpTopics.exitCodes.name] else {
            try context.show(ExitStatusRow.all) { ExitStatusRow.table }
            return 0
        }
        guard path != [HelpTopics.agents.name] else {
            guard !context.global.json else { throw VTError(.usage, "the page 'agents' is not available as JSON") }
            try context.output.text((call[skill] ? AgentsPage.skill : "") + AgentsPage.text)
            return 0
        }
        return try context.showHelp(path, isLong: true, usesPager: !call[noPager])
    }

    /// Returns the words of the topic, which can also be given as one argument, such as 'profile add'.
    private static func path(_ call: Call) -> [String] {
        call[topic].flatMap { $0.split(separator: " ").map(String.init) }
    }
}
