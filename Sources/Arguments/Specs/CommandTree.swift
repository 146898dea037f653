import Core

/// The complete command line interface: all commands and the options they share.
///
/// A run needs the spec of only one command, so everything else is created on demand.
package struct CommandTree: Sendable {
    package var version: String
    /// The release date of the version, such as `2026-11-21`, for the manual.
    package var date: String
    /// In manual order; a name has the words of a command, such as `profile add`.
    package var entries: [Entry]
    private var makeOverview: @Sendable () -> CommandOverview

    package typealias Entry = (name: String, spec: @Sendable () -> CommandSpec)

    package init(
        version: String,
        date: String,
        entries: [Entry],
        overview: @escaping @Sendable () -> CommandOverview
    ) {
        self.version = version
        self.date = date
        self.entries = entries
        makeOverview = overview
    }

    package var overview: CommandOverview {
        get { makeOverview() }
        set { makeOverview = { newValue } }
    }

    /// In manual order.
    package var commands: [CommandSpec] {
        entries.map { $0.spec() }
    }

    /// The options that every command accepts.
    package var globalOptions: [OptionSpec] {
        GlobalOptions.specs
    }

    private var exitStatuses: [ExitStatusRow] {
        ExitStatusRow.all
    }

    package var visibleCommands: [CommandSpec] {
        commands.filter { !$0.isHidden }
    }

    /// The groups with visible commands.
    package var visibleGroups: [GroupSpec] {
        overview.groups.filter { !verbs(of: $0.name).isEmpty }
    }

    /// The first words of all visible commands, without duplicates, in manual order.
    package var firstWords: [String] { visibleCommands.compactMap { $0.path.first }.withoutRepetition }

    /// The headings and their commands, without headings that have no visible command.
    package var commandsBySection: [(title: String, commands: [CommandSpec])] {
        let sections = overview.sections
        guard !sections.isEmpty else { return [("Commands", visibleCommands)] }
        return sections.map { section in
            (section.title, visibleCommands.filter { $0.path.first.map(section.words.contains) ?? false })
        }.filter { !$0.1.isEmpty }
    }

    /// The pages of the documentation about a command.
    package func guides(for spec: CommandSpec) -> [String] {
        overview.guides[spec.name] ?? spec.path.first.flatMap { overview.guides[$0] } ?? []
    }

    package func command(at path: [String]) -> CommandSpec? {
        guard !path.contains(where: { $0.contains(" ") }) else { return nil }
        let name = path.spaced
        return entries.first { $0.name == name }?.spec()
    }

    /// The visible commands of a group, in manual order.
    package func verbs(of group: String) -> [CommandSpec] {
        entries.filter { $0.name.hasPrefix(group + " ") }.map { $0.spec() }.filter { !$0.isHidden }
    }

    /// Whether any command, including hidden ones, starts with this word followed by a verb.
    package func isGroup(_ word: String) -> Bool {
        entries.contains { $0.name.hasPrefix(word + " ") }
    }
}

extension CommandTree: JSONDocument {
    package static let documentName = "command line"
    package static let documentSummary = "all vt commands"

    package static let fields: JSONTable<Self> = [
        .field("version", \.version, "version of vt"),
        .field("date", \.date, "release date, `2026-11-21`"),
        .field("summary", \.overview.summary, "what vt does, in one phrase"),
        .field("description", \.overview.description, "one paragraph per element"),
        .field("examples", \.overview.examples, "examples"),
        .field("files", \.overview.files, "files that vt uses"),
        .field("sections", \.overview.sections, "headings of the list of commands"),
        .field("topics", \.overview.topics, "pages of help that are not about one command"),
        .field("groups", \.visibleGroups, "groups of commands"),
        .field("commands", \.visibleCommands, "all commands, in the order of the manual"),
        .field("global_options", \.globalOptions, "options that every command accepts"),
        .field("exit_statuses", \.exitStatuses, "all exit statuses"),
    ]
}
