/// The complete command line interface: all commands and the options they share.
package struct CommandTree: Sendable {
    package var version: String
    /// The release date of the version, `2026-11-21`, for the manual.
    package var date: String
    /// A lower-case phrase without a full stop.
    package var summary: String
    /// Paragraphs of full sentences.
    package var description: [String]
    /// In manual order; groups without commands are not shown.
    package var groups: [GroupSpec]
    /// In manual order.
    package var commands: [CommandSpec]
    /// Suggested commands, by the name that other programs use for the same thing.
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

    /// The options that every command accepts.
    package var globalOptions: [OptionSpec] {
        GlobalOptions.specs
    }

    package var visibleCommands: [CommandSpec] {
        commands.filter { !$0.isHidden }
    }

    /// The groups with visible commands.
    package var visibleGroups: [GroupSpec] {
        groups.filter { !verbs(of: $0.name).isEmpty }
    }

    /// The visible first words, without duplicates, in manual order.
    package var firstWords: [String] {
        var seen: Set<String> = []
        return visibleCommands.compactMap { $0.path.first }.filter { seen.insert($0).inserted }
    }

    package func command(at path: [String]) -> CommandSpec? {
        commands.first { $0.path == path }
    }

    /// The visible commands of a group, in manual order.
    package func verbs(of group: String) -> [CommandSpec] {
        visibleCommands.filter { $0.path.count > 1 && $0.path.first == group }
    }

    /// Whether any command, including hidden ones, starts with this word followed by a verb.
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
