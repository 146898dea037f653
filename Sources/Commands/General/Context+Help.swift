import Arguments
import Core

extension Context {
    /// Prints the help page for vt, a group or a command, or, with `--json`, its contents as JSON.
    ///
    /// Long help is shown by a pager, if one is to be used.
    ///
    /// - Throws: `usage` when the topic does not exist; errors of the output.
    func showHelp(_ path: [String], isLong: Bool, usesPager: Bool = true) throws(VTError) -> ProcessExit {
        let text = HelpText(tree, isLong: isLong)
        let pager = isLong && usesPager ? Pager(on: console) : nil
        if path.isEmpty {
            let plugins = Plugin.all(of: tree, environment: console.environment)
            try showPage(tree, pager) { text.overview(plugins: plugins.map { ($0.name, $0.path.sanitized) }) }
        } else if path.count == 1, let topic = tree.overview.topics.first(where: { [$0.name] == path }) {
            try showPage(topic, pager) { text.topic(topic) }
        } else if let command = tree.command(at: path) {
            try showPage(command, pager) { text.command(command) }
        } else if path.count == 1, let group = path.first, tree.isGroup(group) {
            try showPage(tree.verbs(of: group), pager) { text.group(group) }
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

    private func showPage(_ document: some JSONValue, _ pager: Pager?, text: () -> String) throws(VTError) {
        if !global.json, let pager { throw pager.show(text()) }
        try show(document, text: text)
    }

    private func unknown(_ path: [String]) -> VTError {
        let topic = path.joined(separator: " ")
        let topics =
            tree.visibleCommands.map(\.name) + tree.visibleGroups.map(\.name) + tree.overview.topics.map(\.name)
        let nearest = Suggestion.nearest(to: topic, among: topics)
        return VTError(
            .usage,
            "no help for '\(topic)'",
            hint: nearest.map { "did you mean 'vt help \($0)'?" } ?? "see 'vt help'"
        )
    }
}
