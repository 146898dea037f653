import Arguments
import Core

/// A help page for vt, a group or a command.
struct HelpPage {
    private let tree: CommandTree
    private let path: [String]
    private let isLong: Bool

    init(_ tree: CommandTree, path: [String], isLong: Bool) {
        self.tree = tree
        self.path = path
        self.isLong = isLong
    }

    /// Prints the page, or, with `--json`, its contents as JSON.
    ///
    /// - Parameter context: The context of the run.
    /// - Returns: The exit status.
    /// - Throws: `usage` when the topic does not exist; errors of the output.
    func show(in context: Context) throws(VTError) -> ProcessExit {
        let text = HelpText(tree, isLong: isLong)
        if path.isEmpty {
            let plugins = Plugin.all(of: tree, environment: context.console.environment)
            try context.show(tree) { text.overview(plugins: plugins.map { ($0.name, $0.path.sanitized) }) }
        } else if let command = tree.command(at: path) {
            try context.show(command) { text.command(command) }
        } else if path.count == 1, let group = path.first, tree.isGroup(group) {
            try context.show(tree.verbs(of: group)) { text.group(group) }
        } else if let plugin = Plugin.named(
            in: path.map { ByteString($0) },
            of: tree,
            environment: context.console.environment
        ) {
            let hint = "see 'vt \(plugin.name) --help'"
            throw VTError(.usage, "no help for '\(plugin.name)', which is the program '\(plugin.path)'", hint: hint)
        } else {
            throw unknown
        }
        return 0
    }

    private var unknown: VTError {
        let topic = path.joined(separator: " ")
        let topics =
            tree.visibleCommands.map(\.name) + tree.visibleGroups.map(\.name) + [
                HelpCommand.exitCodes, HelpCommand.agents,
            ]
        let nearest = Suggestion.nearest(to: topic, among: topics)
        return VTError(
            .usage,
            "no help for '\(topic)'",
            hint: nearest.map { "did you mean 'vt help \($0)'?" } ?? "see 'vt help'"
        )
    }
}
