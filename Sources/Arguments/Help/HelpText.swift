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
        var sections = [["vt - \(tree.overview.summary)"], ["Usage: vt [OPTIONS] COMMAND ..."]]
        sections += examples(tree.overview.examples)
        if isLong { sections += tree.overview.description.map { TextLayout.wrapped($0) } }
        sections += commands
        if !plugins.isEmpty { sections.append(["Plugins:"] + TextLayout.list(plugins)) }
        sections.append(["Global options:"] + options(tree.globalOptions))
        sections.append(
            TextLayout.wrapped(
                "Run 'vt help COMMAND' for details of a command, and 'vt help exit-codes' for exit statuses."
            )
        )
        return joined(sections)
    }

    /// Help for a group.
    package func group(_ name: String) -> String {
        let summary = tree.overview.groups.first { $0.name == name }?.summary
        var sections = [["vt \(name)" + (summary.map { " - \($0)" } ?? "")]]
        sections.append(["Usage: vt \(name) VERB ..."])
        sections.append(["Verbs:"] + TextLayout.list(tree.verbs(of: name).map { ($0.path.last ?? "", $0.summary) }))
        sections.append(["Run 'vt help \(name) VERB' for details."])
        return joined(sections)
    }

    /// Help for a command.
    package func command(_ spec: CommandSpec) -> String {
        var sections = [TextLayout.wrapped("vt \(spec.name) - \(spec.summary)", indent: 4)]
        sections.append(TextLayout.wrapped(spec.synopsis, first: "Usage: ", indent: 11))
        if isLong { sections += spec.description.map { TextLayout.paragraph($0) } }
        sections += spec.optionGroups.map { group in ["\(group.heading ?? "Options"):"] + options(group.options) }
        if isLong {
            sections.append(["Global options:"] + options(tree.globalOptions))
            sections += examples(spec.examples)
            let rows = ExitStatusRow.rows(of: spec).map { (name: $0.exit, text: $0.text) }
            sections.append(["Exit status:"] + TextLayout.list(rows))
        } else {
            sections.append(["Run 'vt help \(spec.name)' for details, examples and global options."])
        }
        return joined(sections)
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

    private func options(_ specs: [OptionSpec]) -> [String] {
        TextLayout.list(specs.map { ($0.signature, isLong ? $0.fullExplanation : $0.explanation) })
    }

    private func examples(_ examples: [ExampleSpec]) -> [[String]] {
        guard !examples.isEmpty else { return [] }
        return [["Examples:"] + examples.flatMap { ["  # \($0.summary)", "  \($0.command)"] }]
    }

    private func joined(_ sections: [[String]]) -> String {
        sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }
}

extension ExitStatusRow {
    /// The meaning, preceded by the code if there is one.
    var text: String {
        code.map { "\($0): \(meaning)" } ?? meaning
    }
}
