/// Renders help as plain text: the short form for `-h`, the long form for `--help` and `vt help`.
package struct HelpText: Sendable {
    private let tree: CommandTree
    private let isLong: Bool

    package init(_ tree: CommandTree, isLong: Bool) {
        self.tree = tree
        self.isLong = isLong
    }

    /// Help for vt as a whole, with the names and paths of programs that can be run as commands.
    package func overview(plugins: [(name: String, text: String)] = []) -> String {
        var parts = [["vt - \(tree.overview.summary)"], ["Usage: vt [OPTIONS] COMMAND ..."]]
        parts += examples(tree.overview.examples)
        if isLong { parts += tree.overview.description.map { TextLayout.wrapped($0) } }
        parts += commands
        if !plugins.isEmpty { parts.append(["Plugins:"] + TextLayout.list(plugins)) }
        if isLong, !tree.overview.topics.isEmpty {
            parts.append(["Topics of 'vt help':"] + TextLayout.list(tree.overview.topics.map { ($0.name, $0.summary) }))
        }
        parts.append(["Global options:"] + options(tree.globalOptions))
        parts.append([
            isLong
                ? "Run 'vt help COMMAND' for details of a command."
                : "Run 'vt help' for all commands and topics, and 'vt help COMMAND' for details."
        ])
        return joined(parts)
    }

    /// Help for a group.
    package func group(_ name: String) -> String {
        let summary = tree.overview.groups.first { $0.name == name }?.summary
        var parts = [["vt \(name)" + (summary.map { " - \($0)" } ?? "")]]
        parts.append(["Usage: vt \(name) VERB ..."])
        parts.append(["Verbs:"] + TextLayout.list(tree.verbs(of: name).map { ($0.path.last ?? "", $0.summary) }))
        parts.append(["Run 'vt help \(name) VERB' for details."])
        return joined(parts)
    }

    /// Help for a command: what most users need first, then the details.
    package func command(_ spec: CommandSpec) -> String {
        var parts = [TextLayout.wrapped("vt \(spec.name) - \(spec.summary)", indent: 4)]
        parts.append(TextLayout.wrapped(spec.synopsis, first: "Usage: ", indent: 11))
        guard isLong else {
            parts += spec.optionGroups.map(optionGroup)
            parts.append(["Run 'vt help \(spec.name)' for details, examples and global options."])
            return joined(parts)
        }
        let text = HelpParts(spec.description)
        if !text.purpose.isEmpty { parts.append(TextLayout.paragraphs(text.purpose)) }
        let common = spec.commonOptions.compactMap { name in spec.options.first { $0.long == name } }
        if !common.isEmpty {
            parts.append(["Common options:"] + TextLayout.list(common.map { ($0.signature, $0.explanation) }))
        }
        parts += examples(spec.examples) + sections(text.sections) + spec.optionGroups.map(optionGroup)
        let global = tree.globalOptions.map { "--\($0.long)" }.joined(separator: ", ")
        parts.append(["Global options (see 'vt help'):", "  \(global)"])
        let rows = ExitStatusRow.rows(of: spec).map { (name: $0.exit, text: $0.text) }
        if !rows.isEmpty { parts.append(["Exit status:"] + TextLayout.list(rows)) }
        let guides = tree.guides(for: spec)
        if !guides.isEmpty { parts.append(["Documentation:"] + guides.map { "  docs/\($0)" }) }
        return joined(parts)
    }

    /// A page about something that several commands have in common.
    package func topic(_ spec: TopicSpec) -> String {
        let title = TextLayout.wrapped("vt help \(spec.name) - \(spec.summary)", indent: 4)
        let text = HelpParts(spec.description)
        var parts = [title, TextLayout.paragraphs(text.purpose)] + sections(text.sections)
        if !spec.options.isEmpty { parts.append(["Options:"] + options(spec.options)) }
        return joined(parts)
    }

    /// The commands under their headings; in the short form, only their first words.
    private var commands: [[String]] {
        let sections = tree.commandsBySection
        let entries = sections.map { isLong ? $0.commands.map { ($0.name, $0.summary) } : firstWords(of: $0.commands) }
        let column = TextLayout.secondColumn(of: entries.joined().map(\.0))
        return zip(sections, entries).map { section, entries in
            ["\(section.title):"] + TextLayout.list(entries, column: column)
        }
    }

    private func firstWords(of commands: [CommandSpec]) -> [(name: String, text: String)] {
        let words = Set(commands.compactMap(\.path.first))
        return tree.firstWords.filter(words.contains).map { word in
            let group = tree.overview.groups.first { $0.name == word }?.summary
            return (word, group ?? tree.command(at: [word])?.summary ?? "")
        }
    }

    private func optionGroup(_ group: CommandSpec.OptionGroup) -> [String] {
        guard let topic = group.topic else { return ["\(group.heading ?? "Options"):"] + options(group.options) }
        let names = group.options.map(\.names).joined(separator: ", ")
        return ["\(group.heading ?? "Options") (see 'vt help \(topic)'):"]
            + TextLayout.wrapped(names, first: "  ", indent: 2)
    }

    private func options(_ specs: [OptionSpec]) -> [String] {
        TextLayout.list(specs.map { ($0.signature, isLong ? $0.fullExplanation : $0.explanation) })
    }

    private func sections(_ sections: [HelpParts.Section]) -> [[String]] {
        sections.map { ["\($0.heading):"] + TextLayout.paragraphs($0.paragraphs, indent: 2) }
    }

    private func examples(_ examples: [ExampleSpec]) -> [[String]] {
        guard !examples.isEmpty else { return [] }
        return [["Examples:"] + examples.flatMap { ["  # \($0.summary)", "  \($0.command)"] }]
    }

    private func joined(_ parts: [[String]]) -> String {
        parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }
}

extension ExitStatusRow {
    /// The meaning, preceded by the code if there is one.
    var text: String {
        code.map { "\($0): \(meaning)" } ?? meaning
    }
}
