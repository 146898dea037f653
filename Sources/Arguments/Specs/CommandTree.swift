/// The whole command line: every command and what holds for all of them.
package struct CommandTree: Sendable {
    package var version: String
    /// The day of the version, `2026-11-21`; the manual shows it.
    package var date: String
    /// A lower-case phrase without a full stop.
    package var summary: String
    /// Paragraphs of whole sentences.
    package var description: [String]
    /// In manual order; a group without commands is not shown.
    package var groups: [GroupSpec]
    /// In manual order.
    package var commands: [CommandSpec]
    /// What to type instead of words that other programs have for the same, by those words as they are typed.
    package var replacements: [String: String]

    package init(
        version: String,
        date: String,
        summary: String,
        description: [String],
        groups: [GroupSpec],
        commands: [CommandSpec],
        replacements: [String: String] = [:]
    ) {
        self.version = version
        self.date = date
        self.summary = summary
        self.description = description
        self.groups = groups
        self.commands = commands
        self.replacements = replacements
    }

    /// The options that every command takes.
    package var globalOptions: [OptionSpec] {
        GlobalOptions.specs
    }

    package var visibleCommands: [CommandSpec] {
        commands.filter { !$0.isHidden }
    }

    /// The groups that have a command to show.
    package var visibleGroups: [GroupSpec] {
        groups.filter { !verbs(of: $0.name).isEmpty }
    }

    /// The first words to show, each once, in manual order.
    package var firstWords: [String] {
        var seen: Set<String> = []
        return visibleCommands.compactMap { $0.path.first }.filter { seen.insert($0).inserted }
    }

    package func command(at path: [String]) -> CommandSpec? {
        commands.first { $0.path == path }
    }

    /// The commands to show of a group, in manual order.
    package func verbs(of group: String) -> [CommandSpec] {
        visibleCommands.filter { $0.path.count > 1 && $0.path.first == group }
    }

    /// Whether some command, hidden ones included, begins with this word and has a verb.
    package func isGroup(_ word: String) -> Bool {
        commands.contains { $0.path.count > 1 && $0.path.first == word }
    }
}

extension CommandTree: Encodable {
    private enum CodingKeys: String, CodingKey {
        case version, date, summary, description, groups, commands
        case globalOptions = "global_options"
        case exitStatuses = "exit_statuses"
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(date, forKey: .date)
        try container.encode(summary, forKey: .summary)
        try container.encode(description, forKey: .description)
        try container.encode(globalOptions, forKey: .globalOptions)
        try container.encode(visibleGroups, forKey: .groups)
        try container.encode(visibleCommands, forKey: .commands)
        try container.encode(ExitStatusRow.all, forKey: .exitStatuses)
    }
}
