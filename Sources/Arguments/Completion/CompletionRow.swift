/// The completion data for one command, one group, or vt itself.
struct CompletionRow {
    /// Empty for vt itself.
    let path: [String]
    /// The words that can follow the path; empty for a command.
    let words: [(name: String, summary: String)]
    let options: [OptionSpec]
    let operands: [OperandSpec]

    var name: String {
        path.joined(separator: " ")
    }

    /// The options that take a value, in short and long form.
    var valuedForms: [String] {
        options.filter { $0.value != nil }.flatMap(\.forms)
    }

    /// The long names of options that replace the first operand, the only one that can be omitted this way.
    var omitters: [String] {
        operands.first?.omittedWith ?? []
    }

    /// Returns the rows for vt itself, the groups and the visible commands, in that order.
    static func all(of tree: CommandTree) -> [CompletionRow] {
        let first = tree.firstWords.map { word in
            (word, tree.overview.groups.first { $0.name == word }?.summary ?? tree.command(at: [word])?.summary ?? "")
        }
        let root = CompletionRow(path: [], words: first, options: tree.globalOptions, operands: [])
        let groups = tree.firstWords.filter { !tree.verbs(of: $0).isEmpty }.map { group in
            CompletionRow(
                path: [group],
                words: tree.verbs(of: group).map { ($0.path.last ?? "", $0.summary) },
                options: tree.globalOptions,
                operands: []
            )
        }
        let commands = tree.visibleCommands.map { spec in
            CompletionRow(
                path: spec.path,
                words: [],
                options: spec.options + tree.globalOptions,
                operands: spec.operands
            )
        }
        return [root] + groups + commands
    }
}

extension OptionSpec {
    /// `-p` and `--port`, the short form first.
    var forms: [String] {
        (short.map { ["-\($0)"] } ?? []) + ["--\(long)"]
    }
}

extension String {
    /// The text in single quotes, for bash and zsh.
    var inSingleQuotes: String {
        "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
