/// The complete command line interface: all commands and the options they share.
package struct CommandTree: Sendable {
    package var version: String
    /// The release date of the version, such as `2026-11-21`, for the manual.
    package var date: String
    /// A lower-case phrase without a period.
    package var summary: String
    /// Paragraphs of full sentences.
    package var description: [String]
    /// Examples of the most important commands, shown at the start of the help.
    package var examples: [ExampleSpec]
    /// The files that the commands use, for vt(1).
    package var files: [FileSpec]
    /// The headings of the list of commands; if there are none, the list has a single heading.
    package var sections: [SectionSpec]
    /// In manual order; groups without commands are not shown.
    package var groups: [GroupSpec]
    /// In manual order.
    package var commands: [CommandSpec]
    /// Hints for commands that other programs have but vt does not, by the words typed: `sessions rm`.
    package var replacements: [String: String]
    /// Returns the JSON documents of each command, in manual order; they are only needed for the reference.
    package var documents: @Sendable () -> [CommandDocuments]

    package init(
        version: String,
        date: String,
        summary: String,
        description: [String],
        examples: [ExampleSpec] = [],
        files: [FileSpec] = [],
        sections: [SectionSpec] = [],
        groups: [GroupSpec],
        commands: [CommandSpec],
        replacements: [String: String] = [:],
        documents: @escaping @Sendable () -> [CommandDocuments] = { [] }
    ) {
        self.version = version
        self.date = date
        self.summary = summary
        self.description = description
        self.examples = examples
        self.files = files
        self.sections = sections
        self.groups = groups
        self.commands = commands
        self.replacements = replacements
        self.documents = documents
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

    /// The first words of all visible commands, without duplicates, in manual order.
    package var firstWords: [String] {
        var seen: Set<String> = []
        return visibleCommands.compactMap { $0.path.first }.filter { seen.insert($0).inserted }
    }

    /// The headings and their commands, without headings that have no visible command.
    package var commandsBySection: [(title: String, commands: [CommandSpec])] {
        guard !sections.isEmpty else { return [("Commands", visibleCommands)] }
        return sections.map { section in
            (section.title, visibleCommands.filter { $0.path.first.map(section.words.contains) ?? false })
        }.filter { !$0.1.isEmpty }
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
    package enum CodingKeys: String, CodingKey, CaseIterable {
        case version, date, summary, description, examples, files, sections, groups, commands
        case globalOptions = "global_options"
        case exitStatuses = "exit_statuses"
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(date, forKey: .date)
        try container.encode(summary, forKey: .summary)
        try container.encode(description, forKey: .description)
        try container.encode(examples, forKey: .examples)
        try container.encode(files, forKey: .files)
        try container.encode(sections, forKey: .sections)
        try container.encode(globalOptions, forKey: .globalOptions)
        try container.encode(visibleGroups, forKey: .groups)
        try container.encode(visibleCommands, forKey: .commands)
        try container.encode(ExitStatusRow.all, forKey: .exitStatuses)
    }
}
