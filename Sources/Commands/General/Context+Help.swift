import Arguments
import Core

extension Context {
    /// Prints the help page for vt, a group or a command, or, with `--json`, its contents as JSON.
    ///
    /// - Throws: `usage` when the topic does not exist; errors of the output.
    func showHelp(_ path: [String], isLong: Bool) throws(VTError) -> ProcessExit {
        let text = HelpText(tree, isLong: isLong)
        if path.isEmpty {
            let plugins = Plugin.all(of: tree, environment: console.environment)
            try show(tree) { text.overview(plugins: plugins.map { ($0.name, $0.path.sanitized) }) }
        } else if let command = tree.command(at: path) {
            try show(command) { text.command(command) }
        } else if path.count == 1, let group = path.first, tree.isGroup(group) {
            try show(tree.verbs(of: group)) { text.group(group) }
        } else if let plugin = Plugin.named(
            in: path.map { ByteString($0) },
            of: tree,
            environment: console.environment
        ) {
            let hint = "see 'vt \(plugin.name) --help'"
            throw VTError(.usage, "no help for '\(plugin.name)', which is the program '\(plugin.path)'", hint: hint)
        } else {
            throw unknown(path)
        }
        return 0
    }

    private func unknown(_ path: [String]) -> VTError {
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
