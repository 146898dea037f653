/// Renders help as plain text: the short form for `-h`, the long form for `--help` and `vt help`.
package struct HelpText: Sendable {
    private let tree: CommandTree
    private let isLong: Bool

    package init(_ tree: CommandTree, isLong: Bool) {
        self.tree = tree
        self.isLong = isLong
    }

    /// Help for vt as a whole.
    package func overview() -> String {
        var sections = [["vt - \(tree.summary)"], ["Usage: vt [OPTIONS] COMMAND ..."]]
        if isLong { sections += tree.description.map { TextLayout.wrapped($0) } }
        sections.append(["Commands:"] + TextLayout.list(isLong ? allCommands : firstWords))
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
        let summary = tree.groups.first { $0.name == name }?.summary
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
        if !spec.visibleOptions.isEmpty { sections.append(["Options:"] + options(spec.visibleOptions)) }
        if isLong {
            sections.append(["Global options:"] + options(tree.globalOptions))
            sections += examples(spec)
            let rows = ExitStatusRow.rows(of: spec).map { (name: $0.exit, text: $0.text) }
            sections.append(["Exit status:"] + TextLayout.list(rows))
        } else {
            sections.append(["Run 'vt help \(spec.name)' for details, examples and global options."])
        }
        return joined(sections)
    }

    private var firstWords: [(name: String, text: String)] {
        tree.firstWords.map { word in
            let group = tree.groups.first { $0.name == word }?.summary
            return (word, group ?? tree.command(at: [word])?.summary ?? "")
        }
    }

    private var allCommands: [(name: String, text: String)] {
        tree.visibleCommands.map { ($0.name, $0.summary) }
    }

    private func options(_ specs: [OptionSpec]) -> [String] {
        TextLayout.list(specs.map { ($0.signature, isLong ? $0.fullExplanation : $0.explanation) })
    }

    private func examples(_ spec: CommandSpec) -> [[String]] {
        guard !spec.examples.isEmpty else { return [] }
        return [["Examples:"] + spec.examples.flatMap { ["  # \($0.summary)", "  \($0.command)"] }]
    }

    private func joined(_ sections: [[String]]) -> String {
        sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }
}

extension ExitStatusRow {
    /// The meaning with its code, if there is one.
    var text: String {
        code.map { "\($0): \(meaning)" } ?? meaning
    }
}
